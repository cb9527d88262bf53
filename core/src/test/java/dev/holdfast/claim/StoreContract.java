package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract of claims on a store that is emptied for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreContract extends QueueContract {
    private final Engine engine;

    @SuppressWarnings("NullAway.Init") // opened before all tests
    private TestStore store;

    StoreContract(Engine engine) {
        this.engine = engine;
    }

    @BeforeAll
    void openStore() {
        store = TestStore.settable(engine);
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
