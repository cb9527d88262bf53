package dev.holdfast.work;

import dev.holdfast.store.Engine;

class PostgresBacklogTest extends BacklogContract {
    PostgresBacklogTest() {
        super(Engine.POSTGRES);
    }
}
