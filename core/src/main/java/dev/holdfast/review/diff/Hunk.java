package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.List;

/**
 * A contiguous part of one file's change. Keeps its text as one string and splits it into lines on demand: otherwise a
 * diff with many short lines would take a hundred times its size.
 *
 * @param oldStart the number of the first old line, 0 if there is none
 * @param section the text after the second {@code @@}
 * @param body the lines with their first characters, each ending with a newline
 */
public record Hunk(
        int oldStart, int oldCount, int newStart, int newCount, String section, int added, int removed, String body) {
    int lineCount() {
        return oldCount + added;
    }

    /** Returns whether it contains the line with this number on that side. */
    public boolean shows(Side side, int number) {
        int first = side == Side.OLD ? oldStart : newStart;
        return number >= first && number < first + (side == Side.OLD ? oldCount : newCount);
    }

    /** Returns the lines with their numbers. */
    public List<DiffLine> lines() {
        List<DiffLine> lines = new ArrayList<>(lineCount());
        // A side without lines has the number of the line before it.
        int oldNumber = oldCount == 0 ? oldStart + 1 : oldStart;
        int newNumber = newCount == 0 ? newStart + 1 : newStart;
        int at = 0;
        while (at < body.length()) {
            int end = body.indexOf('\n', at);
            DiffLine.Kind kind = DiffLine.Kind.of(body.charAt(at));
            boolean bare = kind == DiffLine.Kind.CONTEXT && body.charAt(at) != ' ';
            String text = body.substring(bare ? at : at + 1, end);
            at = end + 1;
            boolean noNewline = at < body.length() && body.charAt(at) == '\\';
            if (noNewline) {
                at = body.indexOf('\n', at) + 1;
            }
            lines.add(new DiffLine(kind, text, noNewline, oldNumber, newNumber));
            oldNumber += kind.isOn(Side.OLD) ? 1 : 0;
            newNumber += kind.isOn(Side.NEW) ? 1 : 0;
        }
        return lines;
    }

    void writeTo(StringBuilder text) {
        text.append("@@ -").append(oldStart).append(',').append(oldCount);
        text.append(" +")
                .append(newStart)
                .append(',')
                .append(newCount)
                .append(" @@\n")
                .append(body);
    }
}
