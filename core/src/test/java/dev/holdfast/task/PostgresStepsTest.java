package dev.holdfast.task;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Steps on PostgreSQL. */
class PostgresStepsTest extends StepsContract {
    private TestStore store;

    @BeforeAll
    void openStore() {
        store = TestStore.settable(Engine.POSTGRES);
    }

    @AfterAll
    void closeStore() {
        store.close();
    }

    @Override
    TestStore store() {
        return store;
    }
}
