package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.broker.dashboard.part.OneDecimal;
import dev.holdfast.broker.dashboard.part.OneLine;
import dev.holdfast.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** When each step ran: every attempt is a bar from its claim to its end. */
public record Timeline(List<Bar> bars, List<String> labels, List<Tick> ticks, String now, int height, boolean whole) {
    static final int MAX_ROWS = 40;
    private static final double LEFT = 130;
    private static final double WIDTH = 520;
    private static final int ROW = 25;
    private static final int TOP = 22;
    private static final int LONGEST = 300;

    /** @param text inside the bar, if it is long enough */
    public record Bar(String look, String x, int y, String width, String text, String says) {}

    public record Tick(String x, String text) {}

    /**
     * One attempt.
     *
     * @param why what went wrong, or who ended it and why; empty: nothing is known
     */
    record Attempt(
            String key,
            String holder,
            long generation,
            Instant from,
            @Nullable Instant until,
            String how,
            String why) {
        Duration length(Instant now) {
            return Duration.between(from, until == null ? now : until);
        }
    }

    /** @param events of all steps of a task, grouped by step, oldest first */
    static List<Attempt> attempts(List<Event> events) {
        List<Attempt> attempts = new ArrayList<>();
        Event begun = null;
        for (Event event : events) {
            if (begun != null && !begun.resource().equals(event.resource())) {
                attempts.add(attempt(begun, null));
                begun = null;
            }
            boolean starts = event.type().equals("claimed") || event.type().equals("taken_over");
            if (begun != null && (starts || ends(event))) {
                attempts.add(attempt(begun, event));
                begun = null;
            }
            if (starts) {
                begun = event;
            }
        }
        if (begun != null) {
            attempts.add(attempt(begun, null));
        }
        return attempts;
    }

    private static boolean ends(Event event) {
        return switch (event.type()) {
            case "released", "reclaimed", "parked", "completed", "failed" -> true;
            default -> event.type().startsWith("step_") && !event.type().equals("step_created");
        };
    }

    private static Attempt attempt(Event begun, @Nullable Event ended) {
        String resource = begun.resource();
        return new Attempt(
                resource.substring(resource.lastIndexOf('.') + 1),
                begun.actor() == null ? "" : begun.actor(),
                begun.generation() == null ? 0 : begun.generation(),
                begun.at(),
                ended == null ? null : ended.at(),
                ended == null ? "" : ended.type(),
                ended == null ? "" : why(ended.detail()));
    }

    private static String why(@Nullable String detail) {
        if (detail == null) {
            return "";
        }
        try {
            JsonNode event = JsonMapper.shared().readTree(detail);
            String why = event.path("error").asString(event.path("reason").asString(""));
            return OneLine.of(VisibleText.line(why), LONGEST);
        } catch (JacksonException _) {
            return "";
        }
    }

    static Timeline of(List<Attempt> attempts, List<String> order, Instant now) {
        Map<String, Integer> rows = new LinkedHashMap<>();
        order.stream()
                .filter(key -> attempts.stream().anyMatch(one -> one.key().equals(key)))
                .limit(MAX_ROWS)
                .forEach(key -> rows.put(key, rows.size()));
        Instant first =
                attempts.stream().map(Attempt::from).min(Instant::compareTo).orElse(now);
        Instant last = attempts.stream()
                .map(one -> one.until() == null ? now : one.until())
                .max(Instant::compareTo)
                .orElse(now);
        double seconds = Math.max(1, Duration.between(first, last).toMillis() / 1000.0);
        List<Bar> bars = new ArrayList<>();
        for (Attempt one : attempts) {
            Integer row = rows.get(one.key());
            if (row != null) {
                bars.add(bar(one, row, first, seconds, now));
            }
        }
        boolean running = attempts.stream().anyMatch(one -> one.until() == null);
        return new Timeline(
                bars,
                List.copyOf(rows.keySet()),
                ticks(seconds),
                running ? place(seconds, seconds) : "",
                TOP + rows.size() * ROW + 8,
                order.size() <= MAX_ROWS);
    }

    private static Bar bar(Attempt one, int row, Instant first, double seconds, Instant now) {
        double from = Duration.between(first, one.from()).toMillis() / 1000.0;
        double length = one.length(now).toMillis() / 1000.0;
        double width = Math.max(3, length / seconds * WIDTH);
        String look = one.until() == null
                ? "sea"
                : switch (one.how()) {
                    case "step_succeeded", "completed" -> "ok";
                    case "step_cancelled", "step_skipped" -> "off"; // nobody failed
                    default -> "port";
                };
        String label = look.equals("port") || look.equals("off") ? one.how().replace('_', ' ') : "g" + one.generation();
        return new Bar(
                look,
                place(from, seconds),
                TOP + row * ROW,
                OneDecimal.of(width),
                width > 60 ? label : "",
                one.key() + ", " + one.holder() + ", generation " + one.generation() + ", " + length(one.length(now))
                        + (one.how().isEmpty()
                                ? ", running now"
                                : ", " + one.how().replace('_', ' ')));
    }

    private static String place(double second, double seconds) {
        return OneDecimal.of(LEFT + second / seconds * WIDTH);
    }

    private static List<Tick> ticks(double seconds) {
        double[] steps = {1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800};
        double step = steps[steps.length - 1];
        for (double one : steps) {
            if (seconds / one <= 7) {
                step = one;
                break;
            }
        }
        List<Tick> ticks = new ArrayList<>();
        for (double at = 0; at <= seconds && ticks.size() < 12; at += step) {
            ticks.add(new Tick(place(at, seconds), length(Duration.ofSeconds((long) at))));
        }
        return ticks;
    }

    /** In two units, for lengths that people compare. */
    static String length(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
        }
        return seconds / 3_600 + " h" + (seconds % 3_600 < 60 ? "" : " " + seconds % 3_600 / 60 + " min");
    }
}
