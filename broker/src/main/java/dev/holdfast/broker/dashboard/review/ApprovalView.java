package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.record.Verdict;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The approval of the latest round.
 *
 * @param byRules by a reviewer without a model, which has not judged what the change does
 */
public record ApprovalView(String by, int round, When at, boolean byRules) {
    /** Null: it is not approved. */
    static @Nullable ApprovalView of(List<Verdict> verdicts, int round, Instant now) {
        return verdicts.stream()
                .filter(verdict ->
                        verdict.round() == round && !verdict.verdict().equals(Verdict.COMMENT))
                .reduce((_, last) -> last)
                .filter(last -> last.verdict().equals(Verdict.APPROVED))
                .map(last -> new ApprovalView(
                        last.reviewer() == null ? "someone" : last.reviewer(),
                        round,
                        new When(last.at(), now),
                        "rules".equals(last.engine())))
                .orElse(null);
    }
}
