package dev.holdfast.task;

import dev.holdfast.store.Engine;

class PostgresOutboxTest extends OutboxContract {
    PostgresOutboxTest() {
        super(Engine.POSTGRES);
    }
}
