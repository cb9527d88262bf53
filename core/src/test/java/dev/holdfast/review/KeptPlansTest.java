package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claims;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.Page;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.testing.TestStore;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** To plan a long list takes PostgreSQL longer than to run it, so a session must not do so at every call. */
class KeptPlansTest {
    /** PostgreSQL plans the first five calls for their values, then compares. */
    private static final int FIRST_CALLS = 5;

    private static final Sql MOST_PLANNED = Sql.of("""
            SELECT max(custom_plans) AS plans, max(generic_plans) AS kept FROM pg_prepared_statements
            WHERE statement LIKE '%FROM reviews v%'""");

    private record Plans(long made, long kept) {}

    @Test
    void a_usual_list_of_reviews_is_planned_once() throws Exception {
        try (TestStore on = ManyReviews.filled(Engine.POSTGRES, 3_000);
                Claims claims = Claims.over(on.store());
                Reviews reviews = Reviews.over(on.store(), claims)) {
            try (Connection connection = ManyReviews.connectPlainly(on);
                    Statement statement = connection.createStatement()) {
                statement.execute("ANALYZE");
            }
            for (int i = 0; i < 4 * FIRST_CALLS; i++) {
                reviews.catalogue().list(ReviewFilter.status("closed"), new Page.Request(50, null));
            }
            Plans plans = on.store()
                    .read(transaction -> transaction
                            .first(MOST_PLANNED, _ -> {}, row -> new Plans(row.number("plans"), row.number("kept")))
                            .orElseThrow());
            assertThat(plans.made()).isLessThanOrEqualTo(FIRST_CALLS);
            assertThat(plans.kept()).isPositive();
        }
    }
}
