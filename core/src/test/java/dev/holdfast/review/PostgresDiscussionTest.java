package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresDiscussionTest extends DiscussionContract {
    PostgresDiscussionTest() {
        super(Engine.POSTGRES);
    }
}
