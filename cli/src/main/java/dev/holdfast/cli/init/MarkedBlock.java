package dev.holdfast.cli.init;

import org.jspecify.annotations.Nullable;

/**
 * Our lines at the end of a file, between two marker lines.
 *
 * @param other a line of somebody else's that makes ours unnecessary; null: none
 */
record MarkedBlock(
        String begin, String end, String body, @Nullable String other) implements FilePart {
    static MarkedBlock markdown(String body) {
        return new MarkedBlock(
                "<!-- holdfast: begin; 'holdfast init --undo' removes this block -->",
                "<!-- holdfast: end -->",
                body,
                null);
    }

    static MarkedBlock toml(String body, String other) {
        return new MarkedBlock(
                "# holdfast: begin; 'holdfast init --undo' removes this block", "# holdfast: end", body, other);
    }

    private String block() {
        return begin + "\n" + body + end + "\n";
    }

    @Override
    public String with(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return block();
        }
        String others = without(text);
        if (other != null && others.lines().anyMatch(line -> line.strip().equals(other))) {
            return others;
        }
        if (!others.equals(text) && text.contains(block())) {
            return text;
        }
        return others + (others.endsWith("\n") ? "\n" : "\n\n") + block();
    }

    @Override
    public String without(String text) {
        int from = text.indexOf(begin);
        int to = text.indexOf(end, Math.max(from, 0));
        if (from < 0 || to < 0) {
            return text;
        }
        int after = to + end.length();
        String rest = text.substring(text.startsWith("\n", after) ? after + 1 : after);
        String before = text.substring(0, from);
        // the empty line that was added with it
        return (before.endsWith("\n\n") ? before.substring(0, before.length() - 1) : before) + rest;
    }
}
