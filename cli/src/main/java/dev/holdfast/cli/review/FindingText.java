package dev.holdfast.cli.review;

import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.WrappedText;
import java.util.ArrayList;
import java.util.List;

/** A finding and everything said about it. */
record FindingText(JsonObject finding, Colours paint) {
    /**
     * Whether it is about this line of the diff on display. The line of a moved or settled finding refers to another
     * round.
     */
    boolean isAt(String path, String side, int line) {
        Number at = finding.number("line");
        return "open".equals(finding.text("status"))
                && path.equals(finding.text("path"))
                && side.equals(finding.text("side"))
                && at != null
                && at.intValue() == line;
    }

    String place() {
        return place(finding) + ("old".equals(finding.text("side")) ? " (old)" : "");
    }

    /** A finding about a whole file has no line. */
    static String place(JsonObject finding) {
        Number line = finding.number("line");
        Number start = finding.number("start_line");
        return JsonText.path(finding)
                + (line == null || line.intValue() == 0 ? "" : ":" + (start == null ? "" : start + "-") + line);
    }

    /** Its id, severity, state and author. */
    String heading() {
        return paint.bold(JsonText.text(finding, "id")) + "  " + paint.status(JsonText.text(finding, "severity")) + "  "
                + paint.status(JsonText.text(finding, "status")) + "  by " + JsonText.orDash(finding, "raised_by")
                + ", round " + finding.number("round") + range();
    }

    private String range() {
        Number start = finding.number("start_line");
        return start == null ? "" : ", lines " + start + "-" + finding.number("line");
    }

    /** @param margin printed before every line */
    List<String> body(String margin, WrappedText prose) {
        List<String> lines = new ArrayList<>(prose.lines(margin, String.valueOf(finding.text("message"))));
        String suggestion = finding.text("suggestion");
        if (suggestion != null) {
            lines.add(margin + "suggestion:");
            Printable.lines(suggestion).forEach(line -> lines.add(margin + paint.good("  " + line)));
        }
        String by = finding.text("settled_by");
        if (by != null) {
            String reason = finding.text("settled_reason");
            lines.addAll(prose.lines(
                    margin,
                    JsonText.text(finding, "status") + " by " + Printable.of(by)
                            + (reason == null ? "" : ": " + reason)));
        }
        return lines;
    }
}
