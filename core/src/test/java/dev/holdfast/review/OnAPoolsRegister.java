package dev.holdfast.review;

import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.Engine;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Reviews on an empty store, whose reviewers are those that a pool has written down there. */
abstract class OnAPoolsRegister extends OnReviews {
    PoolReviewers pool;

    OnAPoolsRegister(Engine engine) {
        super(engine);
        pool = new PoolReviewers(on.store(), claims.events(), null);
    }

    @BeforeEach
    void withThePoolsRegister() {
        reviews.close();
        pool = new PoolReviewers(on.store(), claims.events(), null);
        reviews = reviewsOf(pool);
    }

    /** A broker is about to start this reviewer. */
    void enlist(String id) {
        PoolReviewer.Host host = new PoolReviewer.Host("here", new PoolReviewer.Started(1, 1));
        pool.enlist(_ ->
                List.of(new PoolReviewer.New(id, "codex-r1", "s1", "broker-1", host, null, null, "/w", "hash-" + id)));
    }
}
