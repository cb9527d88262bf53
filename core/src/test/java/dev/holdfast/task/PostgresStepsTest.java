package dev.holdfast.task;

import dev.holdfast.store.Engine;

/** Steps on PostgreSQL. */
class PostgresStepsTest extends StepsContract {
    PostgresStepsTest() {
        super(Engine.POSTGRES);
    }
}
