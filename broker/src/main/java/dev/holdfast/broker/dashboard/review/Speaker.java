package dev.holdfast.broker.dashboard.review;

import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.Verdict;
import java.util.List;
import java.util.Set;

/**
 * The side that the visitor writes for.
 *
 * @param role proposer or reviewer
 * @param clear false: the visitor is asked, having neither proposed nor reviewed it
 */
public record Speaker(String role, boolean clear) {
    private static final String REVIEWER = "reviewer";

    /** @param mine whether they hold the review */
    static Speaker of(String person, boolean mine, List<Proposer> proposers, List<Verdict> verdicts) {
        if (mine) {
            return new Speaker(REVIEWER, true);
        }
        if (proposers.stream().anyMatch(proposer -> proposer.isOneOf(Set.of(person)))) {
            return new Speaker("proposer", true);
        }
        return new Speaker(REVIEWER, verdicts.stream().anyMatch(verdict -> person.equals(verdict.reviewer())));
    }
}
