package dev.holdfast.cli.review;

import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.WrappedText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A coloured diff, with each finding below its line. */
final class AnnotatedDiff {
    private static final Pattern HUNK = Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+(\\d+)(?:,(\\d+))? @@.*");
    /** Header lines that contain file names. */
    private static final Pattern NAMING = Pattern.compile("diff --git |--- |\\+\\+\\+ |(?:rename|copy) (?:from|to) ");

    private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"");
    private static final String MARGIN = "    │ ";

    private final Colours paint;
    private final List<FindingText> findings;
    private final Set<FindingText> shown = new LinkedHashSet<>();
    private final List<String> lines = new ArrayList<>();
    private String oldPath = "";
    private String newPath = "";
    private int oldLine;
    private int newLine;
    private final WrappedText prose;

    /** How many lines of the hunk are still to come: inside a hunk, a line that looks like a header is not one. */
    private int oldLeft;

    private int newLeft;

    AnnotatedDiff(String diff, List<FindingText> findings, Colours paint, WrappedText prose) {
        this.paint = paint;
        this.prose = prose;
        this.findings = findings;
        diff.lines().forEach(this::add);
    }

    List<String> lines() {
        return lines;
    }

    /** The findings that have no line here. */
    List<FindingText> elsewhere() {
        return findings.stream().filter(finding -> !shown.contains(finding)).toList();
    }

    private void add(String line) {
        if (oldLeft > 0 || newLeft > 0) {
            lines.add(paint.diffLine(Printable.line(line)));
            inHunk(line);
            return;
        }
        lines.add(paint.diffHeader(header(line)));
        Matcher hunk = HUNK.matcher(line);
        if (hunk.matches()) {
            oldLine = Integer.parseInt(hunk.group(1));
            newLine = Integer.parseInt(hunk.group(3));
            oldLeft = hunk.group(2) == null ? 1 : Integer.parseInt(hunk.group(2));
            newLeft = hunk.group(4) == null ? 1 : Integer.parseInt(hunk.group(4));
        } else if (line.startsWith("--- ")) {
            oldPath = path(line, "a/");
        } else if (line.startsWith("+++ ")) {
            newPath = path(line, "b/");
        }
    }

    /** Git escapes non-ASCII characters byte by byte; shows them as people read them. */
    private static String header(String line) {
        if (!NAMING.matcher(line).lookingAt()) {
            return Printable.line(line);
        }
        StringBuilder text = new StringBuilder();
        int at = 0;
        Matcher quoted = QUOTED.matcher(line);
        while (quoted.find()) {
            String plain = QuotedPath.plain(quoted.group());
            boolean unreadable = plain.indexOf('\uFFFD') >= 0; // not UTF-8: the escaped bytes say more
            text.append(Printable.line(line.substring(at, quoted.start())))
                    .append(
                            unreadable
                                    ? Printable.line(quoted.group())
                                    : '"' + Printable.of(plain).replace("\"", "\\\"") + '"');
            at = quoted.end();
        }
        return text.append(Printable.line(line.substring(at))).toString();
    }

    private void inHunk(String line) {
        char kind = line.isEmpty() ? ' ' : line.charAt(0);
        if (kind == '\\') { // "No newline at end of file"
            return;
        }
        if (kind != '+') {
            annotate(oldPath, "old", oldLine);
            oldLine++;
            oldLeft--;
        }
        if (kind != '-') {
            annotate(newPath, "new", newLine);
            newLine++;
            newLeft--;
        }
    }

    private void annotate(String path, String side, int line) {
        for (FindingText finding : findings) {
            if (finding.isAt(path, side, line) && shown.add(finding)) {
                lines.add(paint.faint(MARGIN) + finding.heading());
                finding.body(MARGIN, prose)
                        .forEach(text -> lines.add(paint.faint(MARGIN) + text.substring(MARGIN.length())));
            }
        }
    }

    private static String path(String line, String prefix) {
        String name = line.substring(4);
        int tab = name.indexOf('\t');
        String path = QuotedPath.plain(tab < 0 ? name : name.substring(0, tab));
        return path.startsWith(prefix) ? path.substring(2) : path;
    }
}
