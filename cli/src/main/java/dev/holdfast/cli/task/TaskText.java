package dev.holdfast.cli.task;

import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.WrappedText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats tasks for people. */
final class TaskText {
    private static final int BAR = 30;
    private static final int MAX_REASONS = 6;
    private static final int MAX_STEPS = 12;
    private static final List<String> RANKS = List.of("failed", "claimed", "retry_wait", "ready");

    private TaskText() {}

    /** How many steps have succeeded, out of how many. */
    static String progress(JsonObject task) {
        return count(task, "succeeded") + "/" + total(task);
    }

    /** The progress of its steps; a cancelled task's steps do not go on, which is not the same as complete. */
    static String steps(JsonObject task) {
        return "cancelled".equals(task.text("state")) ? "-" : JsonText.text(task, "execution_status");
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
    static List<String> lines(JsonObject task, Colours paint, WrappedText prose) {
        List<String> lines = new ArrayList<>();
        String id = JsonText.text(task, "id");
        String named = JsonText.text(task, "name") + "  " + (prose.columns() > 0 ? JsonText.shortId(id) : id);
        prose.lines("", named).forEach(line -> lines.add(paint.bold(line)));
        lines.add(state(task, BAR));
        why(task).forEach(reason -> lines.addAll(prose.lines("  ", reason.strip())));
        task.objects("steps").forEach(step -> lines.add(step(step)));
        return lines;
    }

    /**
     * A view of a task that fits a small screen and can be redrawn in place: lines of limited length, and only the
     * steps in which something happens.
     */
    static List<String> view(JsonObject task, int width) {
        List<String> lines = new ArrayList<>();
        String id = "  " + JsonText.shortId(task, "id");
        lines.add(Printable.shortened(JsonText.text(task, "name"), Math.max(1, width - 1 - id.length())) + id);
        lines.add(state(task, Math.clamp(width - 45, 5, BAR)) + "  " + counts(task));
        why(task).stream()
                .limit(MAX_REASONS)
                .flatMap(reason -> Printable.wrapped(reason, Math.max(1, width - 1), "    ").stream())
                .forEach(lines::add);
        List<JsonObject> steps = task.objects("steps").stream()
                .filter(step -> rank(step) < RANKS.size())
                .sorted(Comparator.comparingInt(TaskText::rank))
                .toList();
        steps.stream().limit(MAX_STEPS).forEach(step -> lines.add(step(step)));
        if (steps.size() > MAX_STEPS) {
            lines.add("    and " + (steps.size() - MAX_STEPS) + " more");
        }
        return lines.stream()
                .map(line -> Printable.shortened(line, Math.max(1, width - 1)))
                .toList();
    }

    private static int rank(JsonObject step) {
        int rank = RANKS.indexOf(String.valueOf(step.text("state")));
        return rank < 0 ? RANKS.size() : rank;
    }

    private static String state(JsonObject task, int length) {
        return bar(task, length) + "  " + progress(task) + "  " + JsonText.text(task, "state");
    }

    /** The counts that are not zero. */
    private static String counts(JsonObject task) {
        return Stream.of("waiting", "active", "succeeded", "failed", "skipped", "cancelled")
                .filter(state -> count(task, state) > 0)
                .map(state -> count(task, state) + " " + state)
                .collect(Collectors.joining(", "));
    }

    private static List<String> why(JsonObject task) {
        return task.get("why") instanceof List<?> why
                ? why.stream()
                        .map(sentence -> "  " + Printable.of(RefusalWording.of(String.valueOf(sentence))))
                        .toList()
                : List.of();
    }

    private static String step(JsonObject step) {
        String holder = step.text("holder");
        return "  " + mark(String.valueOf(step.text("state"))) + " " + JsonText.text(step, "key") + "  "
                + JsonText.text(step, "state") + (holder == null ? "" : " by " + Printable.of(holder)) + attempts(step);
    }

    /** The number of failed attempts, if any. */
    private static String attempts(JsonObject step) {
        Number failed = step.number("attempts");
        return failed == null || failed.longValue() == 0
                ? ""
                : ", " + failed + " of " + step.number("max_attempts") + " attempts failed";
    }

    /** One mark per part: # succeeded, x failed, - skipped, . to come. */
    private static String bar(JsonObject task, int length) {
        long total = Math.max(1, total(task));
        StringBuilder bar = new StringBuilder("[");
        long succeeded = count(task, "succeeded");
        long failed = succeeded + count(task, "failed");
        fill(bar, '#', length * succeeded / total);
        fill(bar, 'x', length * failed / total);
        fill(bar, '-', length * ended(task) / total);
        fill(bar, '.', length);
        return bar.append(']').toString();
    }

    private static void fill(StringBuilder bar, char mark, long until) {
        bar.repeat(mark, (int) Math.max(0, until - (bar.length() - 1)));
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
