package dev.holdfast.cli.terminal;

/**
 * Colours for a terminal, and none for pipes, files or people who set {@code NO_COLOR}; {@code CLICOLOR_FORCE} forces
 * them in a pipe, for a pager.
 */
public record Colours(boolean on) {
    public static Colours of(Shell shell) {
        String forced = shell.variable("CLICOLOR_FORCE");
        boolean wanted =
                (forced != null && !forced.equals("0")) || shell.width().getAsInt() > 0;
        return new Colours(shell.variable("NO_COLOR") == null && wanted);
    }

    public String bold(String text) {
        return paint("1", text);
    }

    public String faint(String text) {
        return paint("2", text);
    }

    /** Success. */
    public String good(String text) {
        return paint("32", text);
    }

    /** A refusal. */
    public String bad(String text) {
        return paint("31", text);
    }

    /** A status, severity or verdict: green is done, red needs work, yellow is waiting. */
    public String status(String word) {
        return switch (word) {
            case "approved", "closed", "resolved", "accepted" -> paint("32", word);
            case "changes_requested", "must_fix", "rejected" -> paint("31", word);
            case "pending", "claimed", "in_review", "open", "outdated", "should_fix" -> paint("33", word);
            case "waived", "withdrawn" -> paint("35", word);
            default -> word;
        };
    }

    /** A line outside the hunks. */
    public String diffHeader(String line) {
        return line.startsWith("@@") ? paint("36", line) : bold(line);
    }

    /** A line in a hunk. */
    public String diffLine(String line) {
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+' -> paint("32", line);
            case '-' -> paint("31", line);
            default -> line;
        };
    }

    private String paint(String code, String text) {
        return on ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
