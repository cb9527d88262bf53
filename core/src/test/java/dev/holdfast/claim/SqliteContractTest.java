package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract, kept by SQLite. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqliteContractTest extends QueueContract {
    private TestStore store;

    @BeforeAll
    void openStore() {
        store = TestStore.settable(Engine.SQLITE);
    }

    @AfterAll
    void closeStore() {
        store.close();
    }

    @Override
    Subject subject() {
        store.empty();
        return StoreClaims.on(store);
    }
}
