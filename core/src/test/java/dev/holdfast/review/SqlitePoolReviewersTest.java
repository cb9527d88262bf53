package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqlitePoolReviewersTest extends PoolReviewersContract {
    SqlitePoolReviewersTest() {
        super(Engine.SQLITE);
    }
}
