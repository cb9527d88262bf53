package dev.holdfast.broker.dashboard.reviews;

import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does the same to all reviews that match a filter, not only to those on the page: in batches, each review with the
 * same verb as a single one, so that a review that somebody else has changed in the meantime is refused as usual.
 */
public record BulkAction(Sources sources) {
    private static final Set<String> VERBS = Set.of("withdraw_review", "close_review");
    private static final int AT_ONCE = 50;
    private static final int MAX = 10_000;

    /** {@code GET /ui/matching/reviews?view=…}: how many match now. */
    public Answer count(Visit visit) {
        long count = sources.reviews().catalogue().count(ReviewsPage.filter(Query.of(visit)), MAX + 1);
        return count > MAX
                ? Answer.refused(
                        RefusalCode.TOO_LARGE,
                        "more than " + String.format("%,d", MAX) + " reviews match; narrow the filter first")
                : Answer.of(Map.of("count", count));
    }

    /**
     * {@code POST /ui/matching/reviews?view=…}: acts on the next batch.
     *
     * @param after where the previous batch ended; null: from the start
     * @param call calls the verb for the review with this id
     */
    public Answer act(Visit visit, String verb, @Nullable String after, Function<String, Answer> call) {
        if (!VERBS.contains(verb)) {
            return Answer.refused(RefusalCode.NOT_FOUND, "there is no such action on several reviews");
        }
        // by urgency and age, which an action does not change: no review is skipped or comes twice
        Page<Review> next = sources.reviews()
                .catalogue()
                .list(ReviewsPage.filter(Query.of(visit)), new Page.Request(AT_ONCE, after));
        int done = 0;
        int refused = 0;
        String why = null;
        for (Review review : next.entries()) {
            Answer answer = call.apply(review.id());
            if (answer.refusal() == null) {
                done++;
            } else {
                refused++;
                why = why == null ? String.valueOf(answer.body().get("error")) : why;
            }
        }
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("done", done);
        result.put("refused", refused);
        result.put("why", why);
        result.put("next", next.next());
        return Answer.of(result);
    }
}
