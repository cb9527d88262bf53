package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteReviewerLifecycleTest extends ReviewerLifecycleContract {
    SqliteReviewerLifecycleTest() {
        super(Engine.SQLITE);
    }
}
