package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteDiscussionTest extends DiscussionContract {
    SqliteDiscussionTest() {
        super(Engine.SQLITE);
    }
}
