package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresQueueLineTest extends QueueLineContract {
    PostgresQueueLineTest() {
        super(Engine.POSTGRES);
    }
}
