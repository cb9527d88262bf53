package dev.holdfast.task;

import dev.holdfast.store.Engine;

/** Steps on SQLite. */
class SqliteStepsTest extends StepsContract {
    SqliteStepsTest() {
        super(Engine.SQLITE);
    }
}
