package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.part.Chart;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.QueueSamples;
import dev.holdfast.review.figures.RecentVerdicts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Trends: how much waited and for how long, what was judged and how fast. */
final class Charts {
    private static final int POINTS = 24;
    private static final double ALERT = 30;

    /** What is drawn: the last hour, day or week. */
    enum Range {
        HOUR(Duration.ofHours(1), "HH:mm", "HH:mm"),
        DAY(Duration.ofDays(1), "HH:mm", "HH:mm"),
        WEEK(Duration.ofDays(7), "EEE", "EEE HH:mm");

        private final Duration length;
        private final DateTimeFormatter times;
        private final DateTimeFormatter moments;

        Range(Duration length, String times, String moments) {
            this.length = length;
            this.times = format(times);
            this.moments = format(moments);
        }

        private static DateTimeFormatter format(String pattern) {
            return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneId.systemDefault());
        }

        static Range of(String word) {
            return Stream.of(values())
                    .filter(range -> range.word().equals(word))
                    .findFirst()
                    .orElse(DAY);
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Claims claims;
    private final QueueSamples samples;
    private final RecentVerdicts verdicts;

    Charts(Sources sources) {
        claims = sources.claims();
        samples = new QueueSamples(sources.store());
        verdicts = new RecentVerdicts(sources.store());
    }

    List<Chart> drawn(Range range, Instant now) {
        Instant from = now.minus(range.length);
        List<QueueSamples.Sample> waited = new ArrayList<>(samples.since(from));
        waited.addAll(QueueSamples.of(claims.depths(), now)); // the last point is the present, not a minute ago
        List<RecentVerdicts.Given> given = verdicts.since(from);
        List<String> times = times(range, from);
        return List.of(
                waiting(waited, from, range, times),
                oldest(waited, from, range, times),
                judged(given, from, range, times),
                latency(given, from, range, times));
    }

    private static Chart waiting(List<QueueSamples.Sample> samples, Instant from, Range range, List<String> times) {
        List<Chart.Series> series = List.of(
                new Chart.Series("reviews", "sea", ready(samples, "review", from, range)),
                new Chart.Series("items", "slate", ready(samples, "work", from, range)),
                new Chart.Series("steps", "brass", ready(samples, "step", from, range)));
        double reviews = last(series.get(0));
        double items = last(series.get(1));
        double steps = last(series.get(2));
        return Chart.lines(
                "Waiting, by kind",
                Chart.whole(reviews + items + steps),
                number(reviews, "review") + ", " + number(items, "item") + ", " + number(steps, "step"),
                series,
                times,
                moments(range, from));
    }

    private static double last(Chart.Series of) {
        return of.measured().reduce(0, (_, last) -> last);
    }

    private static String number(double of, String name) {
        return Chart.whole(of) + " " + name + (of == 1 ? "" : "s");
    }

    private static Chart oldest(List<QueueSamples.Sample> samples, Instant from, Range range, List<String> times) {
        List<Double> minutes = buckets(
                from,
                range,
                samples.stream()
                        .filter(sample -> sample.kind().equals("review"))
                        .map(sample -> new Point(sample.at(), sample.oldestSeconds() / 60.0))
                        .toList());
        double last = minutes.isEmpty() ? 0 : minutes.getLast();
        return new Chart(
                "Oldest waiting review",
                When.in(Duration.ofSeconds(Math.round(last * 60))),
                "for a reviewer",
                List.of(new Chart.Series("oldest, minutes", "sea", minutes)),
                times,
                moments(range, from),
                false,
                ALERT,
                "alert at 30",
                true);
    }

    private static Chart judged(List<RecentVerdicts.Given> given, Instant from, Range range, List<String> times) {
        List<Double> approved = counts(given, true, from, range);
        List<Double> changes = counts(given, false, from, range);
        long good = given.stream().filter(RecentVerdicts.Given::approved).count();
        return new Chart(
                "Verdicts",
                Integer.toString(given.size()),
                given.isEmpty() ? "none yet" : Math.round(100.0 * good / given.size()) + " % approved",
                List.of(new Chart.Series("approved", "ok", approved), new Chart.Series("changes", "port", changes)),
                times,
                moments(range, from),
                true,
                -1,
                "",
                false);
    }

    private static Chart latency(List<RecentVerdicts.Given> given, Instant from, Range range, List<String> times) {
        List<Double> all = minutes(given);
        List<@Nullable Double> median = new ArrayList<>();
        List<@Nullable Double> slow = new ArrayList<>();
        for (int i = 0; i < POINTS; i++) {
            int bucket = i;
            List<Double> here = minutes(given.stream()
                    .filter(one -> bucket(one.at(), from, range) == bucket)
                    .toList());
            median.add(here.isEmpty() ? null : at(here, 0.5));
            slow.add(here.isEmpty() ? null : at(here, 0.95));
        }
        return Chart.lines(
                "Time to verdict, minutes",
                all.isEmpty() ? "–" : Chart.whole(at(all, 0.5)),
                all.isEmpty() ? "no verdicts yet" : "median; " + Chart.whole(at(all, 0.95)) + " at p95",
                List.of(new Chart.Series("median", "sea", median), new Chart.Series("p95", "slate", slow)),
                times,
                moments(range, from));
    }

    private record Point(Instant at, double value) {}

    private static List<Double> ready(List<QueueSamples.Sample> samples, String kind, Instant from, Range range) {
        return buckets(
                from,
                range,
                samples.stream()
                        .filter(sample -> sample.kind().equals(kind))
                        .map(sample -> new Point(sample.at(), sample.ready()))
                        .toList());
    }

    /** The last value in each interval; where there is none, the previous one. */
    private static List<Double> buckets(Instant from, Range range, List<Point> points) {
        Double[] values = new Double[POINTS];
        points.forEach(point -> values[bucket(point.at(), from, range)] = point.value());
        List<Double> filled = new ArrayList<>();
        for (Double value : values) {
            filled.add(value != null ? value : filled.isEmpty() ? Double.valueOf(0) : filled.getLast());
        }
        return filled;
    }

    private static List<Double> counts(List<RecentVerdicts.Given> given, boolean approved, Instant from, Range range) {
        double[] counts = new double[POINTS];
        given.stream()
                .filter(one -> one.approved() == approved)
                .forEach(one -> counts[bucket(one.at(), from, range)]++);
        List<Double> list = new ArrayList<>();
        for (double count : counts) {
            list.add(count);
        }
        return list;
    }

    private static int bucket(Instant at, Instant from, Range range) {
        long place = Duration.between(from, at).toMillis() * POINTS / range.length.toMillis();
        return Math.clamp(place, 0, POINTS - 1);
    }

    private static List<Double> minutes(List<RecentVerdicts.Given> given) {
        return given.stream()
                .map(one -> one.waited().toMillis() / 60_000.0)
                .sorted()
                .toList();
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
    }

    private static List<String> times(Range range, Instant from) {
        return Stream.concat(starts(range, from, 4, range.times), Stream.of("now"))
                .toList();
    }

    private static List<String> moments(Range range, Instant from) {
        return starts(range, from, POINTS, range.moments).toList();
    }

    /** The start of each of {@code stretches} equal parts of the range. */
    private static Stream<String> starts(Range range, Instant from, int stretches, DateTimeFormatter format) {
        return IntStream.range(0, stretches)
                .mapToObj(i ->
                        format.format(from.plus(range.length.multipliedBy(i).dividedBy(stretches))));
    }
}
