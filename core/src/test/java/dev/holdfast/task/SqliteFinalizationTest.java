package dev.holdfast.task;

import dev.holdfast.store.Engine;

/** Finalizations on SQLite, in Java. */
class SqliteFinalizationTest extends FinalizationContract {
    SqliteFinalizationTest() {
        super(Engine.SQLITE);
    }
}
