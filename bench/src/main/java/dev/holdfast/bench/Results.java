package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * All runs of one scenario and what they show: medians over the rounds that count. A figure counts if the yardsticks
 * before and after it agree; a ratio, which is always taken within one round, if all four yardsticks around its two
 * figures do.
 */
record Results(Scenario scenario, List<Entry> entries, int rounds, List<Sample> samples) {
    /** @param kept how many rounds the median is taken over */
    record Judged(OptionalDouble value, int kept) {
        static Judged of(List<Double> values) {
            return new Judged(median(values), values.size());
        }
    }

    Judged figure(String entry) {
        return Judged.of(of(entry)
                .filter(Sample::quiet)
                .flatMap(sample -> valuesOf(sample).stream())
                .toList());
    }

    /** The entry's figure as a multiple of the yardstick. */
    Judged ofYardstick(String entry) {
        List<Double> values = new ArrayList<>();
        of(entry).filter(Sample::quiet).forEach(sample -> {
            if (sample.outcome() instanceof Figure figure) {
                values.add(figure.value() / sample.yardstick());
            }
        });
        return Judged.of(values);
    }

    Judged judge(Goal goal) {
        String against = goal.against();
        if (against == null) {
            return figure(goal.entry());
        }
        List<Double> ratios = new ArrayList<>();
        of(goal.entry())
                .forEach(ours -> of(against)
                        .filter(theirs -> theirs.round() == ours.round() && theirs.quietWith(ours))
                        .forEach(theirs -> {
                            if (ours.outcome() instanceof Figure a && theirs.outcome() instanceof Figure b) {
                                ratios.add(a.value() / b.value());
                            }
                        }));
        return Judged.of(ratios);
    }

    List<String> violations() {
        return samples.stream()
                .filter(sample -> sample.outcome() instanceof Figure)
                .flatMap(sample -> ((Figure) sample.outcome())
                        .violations().stream()
                                .map(violation -> scenario.name() + ", " + sample.entry() + ", round " + sample.round()
                                        + ": " + violation))
                .toList();
    }

    private Stream<Sample> of(String entry) {
        return samples.stream().filter(sample -> sample.entry().equals(entry));
    }

    private static List<Double> valuesOf(Sample sample) {
        return sample.outcome() instanceof Figure figure ? List.of(figure.value()) : List.of();
    }

    static OptionalDouble median(List<Double> values) {
        if (values.isEmpty()) {
            return OptionalDouble.empty();
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return OptionalDouble.of(
                sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
    }
}
