package dev.holdfast.task;

import dev.holdfast.store.Engine;

/** Finalizations on PostgreSQL, by its functions. */
class PostgresFinalizationTest extends FinalizationContract {
    PostgresFinalizationTest() {
        super(Engine.POSTGRES);
    }
}
