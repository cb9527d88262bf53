package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteOverdueReviewsTest extends OverdueReviewsContract {
    SqliteOverdueReviewsTest() {
        super(Engine.SQLITE);
    }
}
