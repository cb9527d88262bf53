package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteQueueLineTest extends WaitingReviewersContract {
    SqliteQueueLineTest() {
        super(Engine.SQLITE);
    }
}
