package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.StoreObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that nobody has claimed before, on SQLite. */
class FirstClaimTest {
    private final AtomicInteger transactions = new AtomicInteger();
    private SqliteStore store;
    private Claims claims;

    /** Postponed resources are looked for once at the start, on a thread of their own: that transaction is not counted. */
    @BeforeEach
    void open(@TempDir Path folder) {
        store = SqliteStore.open(folder);
        store.observer(new StoreObserver() {
            @Override
            public void combined(int requests) {
                transactions.incrementAndGet();
            }
        });
        claims = Claims.over(store);
        await().until(() -> transactions.get() > 0);
    }

    @AfterEach
    void close() {
        claims.close();
        store.close();
    }

    private ClaimOutcome claim(String resource) {
        return claims.claim(ClaimRequest.of(Resource.parse(resource), "ann"));
    }

    @Test
    void the_first_claim_of_a_key_creates_and_grants_it_in_one_transaction() {
        // the writer reports a transaction after its answer, but before the next one begins
        store.write(_ -> transactions.getAndSet(0));
        assertThat(claim("key:new")).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.claim().generation()).isOne();
            assertThat(granted.displaced()).isNull();
        });
        int seen = store.write(_ -> transactions.get());
        assertThat(seen).as("the one that starts counting, and the claim").isEqualTo(2);
        assertThat(claims.held(Kind.KEY, "ann", null)).hasSize(1);
    }

    @Test
    void a_first_claim_is_granted_beside_one_that_is_refused() {
        claim("key:held");
        List<ClaimOutcome> outcomes = claims.claimAll(List.of(
                ClaimRequest.of(Resource.parse("key:held"), "bob"), ClaimRequest.of(Resource.parse("key:new"), "bob")));
        assertThat(outcomes.get(0)).isInstanceOf(Refusal.Held.class);
        assertThat(outcomes.get(1)).isInstanceOf(Granted.class);
    }

    @Test
    void a_claim_creates_nothing_that_must_exist_before() {
        assertThat(claim("work:missing")).isInstanceOf(Refusal.NotFound.class);
        assertThat(claims.queue(Resource.parse("work:missing"))).isEmpty();
    }
}
