package dev.holdfast.work;

import dev.holdfast.store.Engine;

class SqliteBacklogTest extends BacklogContract {
    SqliteBacklogTest() {
        super(Engine.SQLITE);
    }
}
