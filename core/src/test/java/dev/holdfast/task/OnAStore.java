package dev.holdfast.task;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Leases;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Tasks on a store that is empty before each test, with the ids t1, t2, ... */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnAStore {
    final TestStore store;
    final List<Task> due = new ArrayList<>();
    Claims claims;
    Tasks tasks;

    OnAStore(Engine engine) {
        store = TestStore.settable(engine);
        claims = Claims.over(store.store(), Leases.defaults());
        tasks = tasks();
    }

    @BeforeEach
    void open() {
        close();
        store.empty();
        due.clear();
        claims = Claims.over(store.store(), Leases.defaults());
        tasks = tasks();
    }

    private Tasks tasks() {
        AtomicInteger ids = new AtomicInteger();
        return new Tasks(store.store(), claims, () -> "t" + ids.incrementAndGet(), due::add);
    }

    @AfterEach
    void close() {
        tasks.close();
        claims.close();
    }

    @AfterAll
    void closeStore() {
        store.close();
    }
}
