package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.review.Reviews;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The verbs of reviews: the predecessor's, with its names, keys and texts, and what was added to them. */
public final class ReviewVerbs {
    private final Reviews reviews;
    private final @Nullable ReviewerPool pool;
    private final Config.Limits limits;
    private final Meters meters;

    /** @param pool null: the broker runs no reviewers of its own */
    public ReviewVerbs(Reviews reviews, @Nullable ReviewerPool pool, Config.Limits limits, Meters meters) {
        this.reviews = reviews;
        this.pool = pool;
        this.limits = limits;
        this.meters = meters;
    }

    public List<Verb> verbs() {
        ApprovalVerbs approvals = new ApprovalVerbs(reviews.approvals(), limits);
        PoolVerbs poolVerbs = new PoolVerbs(pool, limits);
        List<Verb> tools = Stream.of(
                        new ProposalVerbs(reviews, limits).verbs(),
                        new ReviewerVerbs(reviews, limits, meters).verbs(),
                        new ReviewQueueVerbs(reviews, limits).verbs(),
                        new ReviewReadingVerbs(reviews, limits).verbs(),
                        new ReviewHistoryVerbs(reviews, limits).verbs(),
                        List.of(approvals.check()),
                        poolVerbs.verbs())
                .flatMap(List::stream)
                .map(verb -> verb.in(Toolset.REVIEWS))
                .toList();
        // A reviewed agent that could override its own review would not need one.
        return Stream.concat(
                        tools.stream(),
                        Stream.of(
                                approvals.override().forPeople(),
                                poolVerbs.log().forPeople(),
                                new ImportVerbs(reviews, limits).take()))
                .toList();
    }

    /** A text that is blank counts as left out. */
    static @Nullable String textOrNull(Arguments given, String name) {
        String text = given.textOrNull(name);
        return text == null || text.isBlank() ? null : text;
    }
}
