package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresReviewerLifecycleTest extends ReviewerLifecycleContract {
    PostgresReviewerLifecycleTest() {
        super(Engine.POSTGRES);
    }
}
