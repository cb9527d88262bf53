package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresPoolReviewersTest extends PoolReviewersContract {
    PostgresPoolReviewersTest() {
        super(Engine.POSTGRES);
    }
}
