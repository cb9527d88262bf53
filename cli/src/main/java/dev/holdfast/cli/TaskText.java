package dev.holdfast.cli;

import java.util.ArrayList;
import java.util.List;

/** Tasks, for people to read. */
final class TaskText {
    private static final int BAR = 30;

    private TaskText() {}

    /** How many steps have ended, of how many. */
    static String progress(JsonObject task) {
        return ended(task) + "/" + total(task);
    }

    private static long ended(JsonObject task) {
        return count(task, "succeeded") + count(task, "failed") + count(task, "skipped") + count(task, "cancelled");
    }

    private static long total(JsonObject task) {
        return ended(task) + count(task, "waiting") + count(task, "active");
    }

    private static long count(JsonObject task, String state) {
        Number number = task.object("counts").number(state);
        return number == null ? 0 : number.longValue();
    }

    /** The whole task: a bar, the reasons, the steps. */
    static List<String> lines(JsonObject task, Paint paint) {
        List<String> lines = new ArrayList<>();
        lines.add(paint.bold(ClaimText.text(task, "name")) + "  " + ClaimText.text(task, "task_id"));
        lines.add(bar(task) + "  " + progress(task) + "  " + ClaimText.text(task, "state"));
        if (task.get("why") instanceof List<?> why) {
            why.forEach(sentence -> lines.add("  " + Printable.of(String.valueOf(sentence))));
        }
        for (JsonObject step : task.objects("steps")) {
            String holder = step.text("holder");
            lines.add("  " + mark(String.valueOf(step.text("state"))) + " " + ClaimText.text(step, "key") + "  "
                    + ClaimText.text(step, "state") + (holder == null ? "" : " by " + Printable.of(holder)));
        }
        return lines;
    }

    static String bar(JsonObject task) {
        long total = Math.max(1, total(task));
        int done = (int) (BAR * ended(task) / total);
        return "[" + "#".repeat(done) + ".".repeat(BAR - done) + "]";
    }

    static String mark(String state) {
        return switch (state) {
            case "succeeded" -> "+";
            case "failed" -> "x";
            case "skipped", "cancelled" -> "-";
            case "claimed" -> ">";
            case "ready", "retry_wait" -> "o";
            default -> " ";
        };
    }
}
