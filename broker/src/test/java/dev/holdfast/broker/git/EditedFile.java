package dev.holdfast.broker.git;

import dev.holdfast.git.UnambiguousDiff;
import dev.holdfast.store.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of lines and what is done to some of them, written as git writes it.
 *
 * @param edits by the number of an old line from 0: what stands there instead, which may be nothing or more lines; one more
 *     than the last is the end of the file
 */
record EditedFile(List<String> before, Map<Integer, List<String>> edits) implements UnambiguousDiff.Source {
    private record Marked(char mark, String line, int number) {}

    List<String> after() {
        return marked().stream()
                .filter(line -> line.mark != '-')
                .map(Marked::line)
                .toList();
    }

    @Override
    public List<Optional<byte[]>> contents(List<String> ids) {
        return ids.stream().map(_ -> Optional.of(content(before))).toList();
    }

    String version() {
        return version(before);
    }

    /** An id as git's: another one for other content. */
    static String version(List<String> lines) {
        return Sha256.hex(String.join("\n", lines)).substring(0, 40);
    }

    static byte[] content(List<String> lines) {
        return String.join("", lines.stream().map(line -> line + "\n").toList()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int digits(List<String> ids) {
        return UnambiguousDiff.MIN_DIGITS;
    }

    @Override
    public String diff(int context) {
        List<Marked> all = marked();
        StringBuilder diff = new StringBuilder(
                "diff --git a/x b/x\nindex " + version() + ".." + version(after()) + " 100644\n--- a/x\n+++ b/x\n");
        int from = 0;
        while (from < all.size()) {
            int first = nextChange(all, from);
            if (first == all.size()) {
                break;
            }
            int last = first;
            for (int next = first; next < all.size() && next - last - 1 <= 2 * context; ) {
                last = next;
                next = nextChange(all, next + 1);
            }
            int start = Math.max(from, first - context);
            int end = Math.min(all.size(), last + 1 + context);
            writeHunk(diff, all.subList(start, end));
            from = end;
        }
        return diff.toString();
    }

    private static int nextChange(List<Marked> all, int from) {
        int at = from;
        while (at < all.size() && all.get(at).mark == ' ') {
            at++;
        }
        return at;
    }

    private static void writeHunk(StringBuilder diff, List<Marked> hunk) {
        long old = hunk.stream().filter(line -> line.mark != '+').count();
        long now = hunk.stream().filter(line -> line.mark != '-').count();
        int first = hunk.getFirst().number + (old == 0 ? 0 : 1);
        diff.append("@@ -%d,%d +%d,%d @@\n".formatted(first, old, first, now));
        hunk.forEach(line -> diff.append(line.mark).append(line.line).append('\n'));
    }

    private List<Marked> marked() {
        List<Marked> marked = new ArrayList<>();
        for (int at = 0; at <= before.size(); at++) {
            List<String> instead = edits.get(at);
            if (at < before.size()) {
                marked.add(new Marked(instead == null ? ' ' : '-', before.get(at), at));
            }
            for (String line : instead == null ? List.<String>of() : instead) {
                marked.add(new Marked('+', line, Math.min(at + 1, before.size())));
            }
        }
        return marked;
    }
}
