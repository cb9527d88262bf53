package dev.holdfast.broker.dashboard.events;

import dev.holdfast.broker.dashboard.part.OneDecimal;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How many events there were over time; those that took something from somebody, or failed, are marked. */
public record Histogram(List<Bar> bars, String from, String says) {
    private static final int BUCKETS = 60;
    private static final double WIDTH = 1_100;
    private static final double HEIGHT = 34;

    public record Bar(String look, String x, String y, String width, String height, String says) {}

    /** @param events newest first */
    static Histogram of(List<Event> events, Instant now) {
        if (events.isEmpty()) {
            return new Histogram(List.of(), "", "");
        }
        Instant first = events.getLast().at();
        long length = Math.max(1_000, Duration.between(first, now).toMillis() + 1);
        int[] all = new int[BUCKETS];
        int[] bad = new int[BUCKETS];
        for (Event event : events) {
            int bucket = Math.clamp(Duration.between(first, event.at()).toMillis() * BUCKETS / length, 0, BUCKETS - 1);
            all[bucket]++;
            if (Line.look(event.type()).equals("port")) {
                bad[bucket]++;
            }
        }
        int max = 1;
        for (int one : all) {
            max = Math.max(max, one);
        }
        List<Bar> bars = new ArrayList<>();
        for (int i = 0; i < BUCKETS; i++) {
            if (all[i] > 0) {
                String says = all[i] + " events" + (bad[i] > 0 ? ", " + bad[i] + " of them failures" : "");
                bars.add(bar("slate", i, all[i], max, 0, says));
                if (bad[i] > 0) {
                    bars.add(bar("port", i, bad[i], max, all[i] - bad[i], says));
                }
            }
        }
        String ago = When.in(Duration.between(first, now));
        return new Histogram(bars, ago + " ago", events.size() + " events in " + ago);
    }

    private static Bar bar(String look, int bucket, int count, int max, int below, String says) {
        double width = WIDTH / BUCKETS;
        double height = Math.max(2, HEIGHT * count / max);
        double top = 36 - HEIGHT * below / max - height;
        return new Bar(
                look,
                OneDecimal.of(bucket * width + 1),
                OneDecimal.of(Math.max(0, top)),
                OneDecimal.of(width - 2),
                OneDecimal.of(height),
                says);
    }
}
