package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Share;
import dev.holdfast.testing.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** However many callers there are, a broker on PostgreSQL keeps its identity and its chores going. */
class OwnShareTest {
    private static final int CONNECTIONS = 2;

    @Test
    void a_broker_claims_and_renews_its_name_and_sweeps_while_callers_use_every_connection() throws Exception {
        try (PostgresStore store = PostgresStore.open(TestPostgres.freshDatabase(), CONNECTIONS);
                Claims claims = Claims.over(store, Leases.defaults())) {
            CountDownLatch done = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(CONNECTIONS);
            List<CompletableFuture<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 10 * CONNECTIONS; i++) {
                calls.add(store.submit(_ -> {
                    begun.countDown();
                    return await(done);
                }));
            }
            try {
                begun.await();
                Sweeper sweeper = new Sweeper(claims, "broker-1", System::nanoTime, () -> {});
                Share.IDENTITY.turn().run(() -> {
                    assertThat(sweeper.renew()).isTrue();
                    assertThat(sweeper.renew()).isTrue();
                });
                Share.CHORES
                        .turn()
                        .run(() ->
                                assertThat(claims.held(Kind.BROKER, null, null)).hasSize(1));
                Share.CHORES.turn().run(sweeper::sweep);
            } finally {
                done.countDown();
            }
            for (CompletableFuture<Boolean> call : calls) {
                assertThat(call.get()).isTrue();
            }
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException _) {
            return false;
        }
    }
}
