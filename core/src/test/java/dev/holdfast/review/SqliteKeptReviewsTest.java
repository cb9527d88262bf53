package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteKeptReviewsTest extends KeptReviewsContract {
    SqliteKeptReviewsTest() {
        super(Engine.SQLITE);
    }
}
