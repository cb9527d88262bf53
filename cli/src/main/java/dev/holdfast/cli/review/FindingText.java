package dev.holdfast.cli.review;

import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Paint;
import dev.holdfast.cli.terminal.Printable;
import java.util.ArrayList;
import java.util.List;

/** A finding with everything that was said of it. */
record FindingText(JsonObject finding, Paint paint) {
    /** Whether it is about this line of what is shown. What has moved or is settled names a line of another round. */
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

    /** What is found in a whole file has no line. */
    static String place(JsonObject finding) {
        Number line = finding.number("line");
        return JsonText.text(finding, "path") + (line == null || line.intValue() == 0 ? "" : ":" + line);
    }

    /** Which it is, how bad, where it stands, and whose it is. */
    String heading() {
        return paint.bold(JsonText.text(finding, "id")) + "  " + paint.status(JsonText.text(finding, "severity")) + "  "
                + paint.status(JsonText.text(finding, "status")) + "  by " + JsonText.orDash(finding, "raised_by")
                + ", round " + finding.number("round");
    }

    List<String> body() {
        List<String> lines = new ArrayList<>(Printable.lines(String.valueOf(finding.text("message"))));
        String suggestion = finding.text("suggestion");
        if (suggestion != null) {
            lines.add("suggestion:");
            Printable.lines(suggestion).forEach(line -> lines.add(paint.good("  " + line)));
        }
        String by = finding.text("settled_by");
        if (by != null) {
            String reason = finding.text("settled_reason");
            lines.add(JsonText.text(finding, "status") + " by " + Printable.of(by)
                    + (reason == null ? "" : ": " + Printable.of(reason)));
        }
        return lines;
    }
}
