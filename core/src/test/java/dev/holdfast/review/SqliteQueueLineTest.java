package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteQueueLineTest extends QueueLineContract {
    SqliteQueueLineTest() {
        super(Engine.SQLITE);
    }
}
