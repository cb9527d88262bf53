package dev.holdfast.git;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of a file, for checking whether a run of lines occurs only once. If it does, a change that identifies its
 * lines by their text alone has one possible place, otherwise several.
 *
 * <p>Each check takes time proportional to the length of the file. It gives up, with the answer "not only once", on
 * files of more than a million lines and after looking at a hundred million lines.
 */
public final class FileLines {
    private static final int MAX_LINES = 1_000_000;
    private static final long MAX_LOOKED_AT = 100_000_000;

    /**
     * A number for each distinct line including its ending. Bytes are read as characters, since not every file is
     * UTF-8.
     */
    private final Map<String, Integer> numbers = new HashMap<>();

    private final int[] lines;
    private final boolean complete;
    private long left = MAX_LOOKED_AT;

    private FileLines(byte[] content) {
        int[] read = new int[1_000];
        int count = 0;
        int from = 0;
        while (from < content.length && count < MAX_LINES) {
            int end = from;
            while (end < content.length && content[end] != '\n') {
                end++;
            }
            int next = Math.min(end + 1, content.length);
            String line = new String(content, from, next - from, StandardCharsets.ISO_8859_1);
            if (count == read.length) {
                read = Arrays.copyOf(read, count * 2);
            }
            read[count++] = numbers.computeIfAbsent(line, _ -> numbers.size());
            from = next;
        }
        lines = Arrays.copyOf(read, count);
        complete = from == content.length;
    }

    public static FileLines of(byte[] content) {
        return new FileLines(content);
    }

    /**
     * Whether these lines occur exactly once. An empty run occurs everywhere.
     *
     * @param run each line with its newline, if it has one
     */
    public boolean occurOnce(List<String> run) {
        if (!complete) {
            return false;
        }
        if (run.isEmpty()) {
            return lines.length == 0;
        }
        int[] wanted = new int[run.size()];
        for (int at = 0; at < wanted.length; at++) {
            byte[] line = run.get(at).getBytes(StandardCharsets.UTF_8);
            wanted[at] = numbers.getOrDefault(new String(line, StandardCharsets.ISO_8859_1), -1);
        }
        left -= lines.length + wanted.length;
        return left >= 0 && isOnce(wanted);
    }

    /** Knuth-Morris-Pratt: looks at no line twice, however repetitive they are. */
    private boolean isOnce(int[] wanted) {
        int[] restart = restarts(wanted);
        int found = 0;
        int matched = 0;
        for (int line : lines) {
            while (matched > 0 && (matched == wanted.length || wanted[matched] != line)) {
                matched = restart[matched - 1];
            }
            if (wanted[matched] == line) {
                matched++;
            }
            if (matched == wanted.length && ++found > 1) {
                return false;
            }
        }
        return found == 1;
    }

    /** For each prefix of the run, the length of its longest proper suffix that is also a prefix. */
    private static int[] restarts(int[] wanted) {
        int[] restart = new int[wanted.length];
        int matched = 0;
        for (int at = 1; at < wanted.length; at++) {
            while (matched > 0 && wanted[matched] != wanted[at]) {
                matched = restart[matched - 1];
            }
            if (wanted[matched] == wanted[at]) {
                matched++;
            }
            restart[at] = matched;
        }
        return restart;
    }
}
