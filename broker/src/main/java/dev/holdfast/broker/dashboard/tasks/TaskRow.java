package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.task.Counters;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One task in the list.
 *
 * @param held how many of its steps somebody holds
 * @param why what it waits for, or how it ended
 */
public record TaskRow(Task task, long held, StateBadge standing, String why, When age) {
    private static final double WHOLE = 120;

    /** A part of the progress bar. */
    public record Segment(String look, String x, String width) {}

    static TaskRow of(Task task, long held, List<String> sentences, Instant now) {
        return new TaskRow(
                task, held, StateBadge.of(task.state()), why(task, sentences, now), new When(task.createdAt(), now));
    }

    /** The first sentence; but that a task is over shows already, so then what failed, or when it ended. */
    private static String why(Task task, List<String> sentences, Instant now) {
        if (task.state() == TaskState.COMPLETE && sentences.size() == 1 && task.finishedAt() != null) {
            return "Finished " + new When(task.finishedAt(), now).ago() + " ago";
        }
        return sentences.isEmpty()
                ? ""
                : sentences.get(task.state() == TaskState.FAILED ? Math.min(1, sentences.size() - 1) : 0);
    }

    public String path() {
        return Address.task(task.id());
    }

    public String shortId() {
        return task.id().substring(0, Math.min(8, task.id().length()));
    }

    public String says() {
        Counters counters = task.counters();
        return counters.succeeded() + " of " + counters.total() + " succeeded, " + moving() + " in progress, "
                + counters.failed() + " failed";
    }

    public String done() {
        return task.counters().succeeded() + " of " + task.counters().total();
    }

    /** A step that is ready, but that nobody has claimed, does not move. */
    private long moving() {
        return Math.min(held, task.counters().active());
    }

    public List<Segment> segments() {
        Counters counters = task.counters();
        double each = WHOLE / Math.max(1, counters.total());
        List<Segment> segments = new ArrayList<>();
        double x = 0;
        x = add(segments, "ok", counters.succeeded() * each, x);
        x = add(segments, "port", counters.failed() * each, x);
        x = add(segments, "skip", (counters.skipped() + counters.cancelled()) * each, x);
        x = add(segments, "sea", moving() * each, x);
        add(segments, "rest", (counters.active() - moving() + counters.waiting()) * each, x);
        return segments;
    }

    private static double add(List<Segment> segments, String look, double width, double x) {
        if (width > 0) {
            segments.add(new Segment(
                    look, String.format(Locale.ROOT, "%.2f", x), String.format(Locale.ROOT, "%.2f", width)));
        }
        return x + width;
    }
}
