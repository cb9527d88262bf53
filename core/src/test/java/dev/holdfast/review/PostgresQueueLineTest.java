package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresQueueLineTest extends WaitingReviewersContract {
    PostgresQueueLineTest() {
        super(Engine.POSTGRES);
    }
}
