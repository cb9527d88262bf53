package dev.holdfast.review.figures;

import dev.holdfast.review.figures.TallyTable.Sum;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Review statistics: how many, how fast, how often approved. Times are exact to the microsecond. */
public record Statistics(Store store, Tally tally) {
    /**
     * @param total the number of reviews
     * @param approvalRate percentage ever approved, of the reviews with a reviewer's verdict; null: there are none
     * @param toVerdictMicros from creation to the first verdict of a reviewer, on average
     * @param durationMicros from creation to closing, on average
     * @param inStateMicros how long reviews stay in each status, on average
     */
    public record Found(
            long total,
            Map<String, Long> byStatus,
            Map<String, Long> byCategory,
            @Nullable Double approvalRate,
            @Nullable Long toVerdictMicros,
            @Nullable Long durationMicros,
            Map<String, Long> inStateMicros) {
        /** How many are neither closed nor withdrawn. */
        public long open() {
            return byStatus.entrySet().stream()
                    .filter(entry -> !ReviewStatus.of(entry.getKey()).terminal())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    private static final int MAX_PROJECTS = 50;

    /** Counts new events; called now and then, so that callers of {@link #of} do not wait long for it. */
    public void catchUp() {
        tally.catchUp();
    }

    /** @param project null: all projects */
    public Found of(@Nullable String project) {
        tally.catchUp();
        Map<String, Sum> sums = store.read(transaction -> TallyTable.sums(transaction, Project.key(project)));
        Map<String, Long> byStatus = new LinkedHashMap<>();
        ReviewStatus.words().forEach(word -> byStatus.put(word, 0L));
        Map<String, Long> byCategory = new LinkedHashMap<>();
        Map<String, Long> inState = new LinkedHashMap<>();
        sums.forEach((figure, sum) -> {
            String name = figure.substring(figure.indexOf(':') + 1);
            if (figure.startsWith("now:")) {
                byStatus.put(name, sum.number());
            } else if (figure.startsWith("category:") && sum.number() > 0) {
                byCategory.put(name, sum.number());
            } else if (figure.startsWith("stay:") && sum.number() > 0) {
                inState.put(name, average(sum));
            }
        });
        return new Found(
                byStatus.values().stream().mapToLong(Long::longValue).sum(),
                byStatus,
                byCategory,
                rate(sums.getOrDefault("approved", Sum.NONE), sums.getOrDefault("judged", Sum.NONE)),
                average(sums.getOrDefault("verdict", Sum.NONE)),
                average(sums.getOrDefault("closed", Sum.NONE)),
                inState);
    }

    /**
     * How many reviews each project has, by the name that its latest review gives, the largest first; if there are too
     * many projects, only the largest.
     */
    public Map<String, Long> projects() {
        return store.read(transaction -> TallyTable.projects(transaction, MAX_PROJECTS));
    }

    private static @Nullable Double rate(Sum approved, Sum judged) {
        return judged.number() == 0 ? null : Math.round(1_000.0 * approved.number() / judged.number()) / 10.0;
    }

    private static @Nullable Long average(Sum sum) {
        return sum.number() == 0 ? null : Math.round((double) sum.micros() / sum.number());
    }
}
