package dev.holdfast.task;

import dev.holdfast.store.Engine;

class SqliteOutboxTest extends OutboxContract {
    SqliteOutboxTest() {
        super(Engine.SQLITE);
    }
}
