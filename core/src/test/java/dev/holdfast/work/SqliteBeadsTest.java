package dev.holdfast.work;

import dev.holdfast.store.Engine;

class SqliteBeadsTest extends BeadsContract {
    SqliteBeadsTest() {
        super(Engine.SQLITE, 5_000);
    }
}
