package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresOverdueReviewsTest extends OverdueReviewsContract {
    PostgresOverdueReviewsTest() {
        super(Engine.POSTGRES);
    }
}
