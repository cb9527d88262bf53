package dev.holdfast.git;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One file's part of a diff that git itself has just made, with the options of {@link ExactDiff}. So every line of a
 * hunk has its mark, and a line that begins differently is not part of one.
 */
final class FileDiff {
    private static final String START = "diff --git ";
    private static final String SUBMODULE = "160000";
    private static final Pattern INDEX = Pattern.compile("index ([0-9a-f]+)\\.\\.[0-9a-f]+(?: (\\d+))?\n");
    private static final String HUNK = "@@ -";
    private static final String BYTES = "GIT binary patch";

    private final String text;
    /** For each hunk, the lines before the change, each with its newline if it has one. */
    private final List<List<String>> hunks = new ArrayList<>();

    private @Nullable String before;
    private boolean whole;
    private boolean bytes;
    private boolean lastIsOld;

    private FileDiff(String text) {
        this.text = text;
        int from = 0;
        while (from < text.length()) {
            int newline = text.indexOf('\n', from);
            int end = newline < 0 ? text.length() : newline + 1;
            read(text.substring(from, end));
            from = end;
        }
    }

    /** @param line with its newline, including any carriage return */
    private void read(String line) {
        if (line.startsWith(HUNK)) {
            hunks.add(new ArrayList<>());
        } else if (hunks.isEmpty()) {
            readHeader(line);
        } else {
            readContent(line, hunks.getLast());
        }
    }

    private void readHeader(String line) {
        Matcher index = INDEX.matcher(line);
        if (index.lookingAt()) {
            before = index.group(1);
            whole |= SUBMODULE.equals(index.group(2));
        }
        bytes |= line.startsWith(BYTES);
        whole |= line.startsWith("new file mode ") || line.startsWith("deleted file mode ");
    }

    private void readContent(String line, List<String> lines) {
        switch (line.charAt(0)) {
            case ' ', '-' -> {
                lines.add(line.substring(1));
                lastIsOld = true;
            }
            case '\\' -> {
                if (lastIsOld) {
                    String last = lines.removeLast();
                    lines.add(last.substring(0, last.length() - 1));
                }
            }
            default -> lastIsOld = false;
        }
    }

    /** Whether the position of its hunks matters: not for a file that is created or deleted, nor for a binary one. */
    boolean hasPlace() {
        return !whole && !hunks.isEmpty();
    }

    /** Whether it changes the content of an existing file. */
    boolean hasBase() {
        return !whole && (bytes || !hunks.isEmpty());
    }

    /** The id of the content it was made from. */
    String before() {
        if (before == null) {
            throw new GitFailure("git does not show what this diff was made from: "
                    + text.lines().findFirst().orElse(""));
        }
        return before;
    }

    boolean standsOnceIn(FileLines file) {
        return !hasPlace() || hunks.stream().allMatch(file::occurOnce);
    }

    static List<FileDiff> all(String diff) {
        List<FileDiff> parts = new ArrayList<>();
        int from = 0;
        while (from < diff.length()) {
            int next = diff.indexOf("\n" + START, from);
            int end = next < 0 ? diff.length() : next + 1;
            parts.add(new FileDiff(diff.substring(from, end)));
            from = end;
        }
        return parts;
    }

    static String text(List<FileDiff> parts) {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part.text));
        return text.toString();
    }
}
