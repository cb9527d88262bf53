package dev.holdfast.cli;

/** Colours for a terminal, and none for pipes, files, or people who set {@code NO_COLOR}. */
record Paint(boolean on) {
    static Paint of(Shell shell) {
        return new Paint(shell.variable("NO_COLOR") == null && shell.width().getAsInt() > 0);
    }

    String bold(String text) {
        return paint("1", text);
    }

    String faint(String text) {
        return paint("2", text);
    }

    /** What went well. */
    String good(String text) {
        return paint("32", text);
    }

    /** What was refused. */
    String bad(String text) {
        return paint("31", text);
    }

    /** A status, a severity or a verdict: green is done, red needs work, yellow waits. */
    String status(String word) {
        return switch (word) {
            case "approved", "closed", "resolved", "accepted" -> paint("32", word);
            case "changes_requested", "must_fix", "rejected" -> paint("31", word);
            case "pending", "claimed", "in_review", "open", "outdated", "should_fix" -> paint("33", word);
            default -> word;
        };
    }

    String diffLine(String line) {
        if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff ")) {
            return bold(line);
        }
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+' -> paint("32", line);
            case '-' -> paint("31", line);
            case '@' -> paint("36", line);
            default -> line;
        };
    }

    private String paint(String code, String text) {
        return on ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
