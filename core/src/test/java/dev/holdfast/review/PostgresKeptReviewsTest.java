package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresKeptReviewsTest extends KeptReviewsContract {
    PostgresKeptReviewsTest() {
        super(Engine.POSTGRES);
    }
}
