package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.TestPooler;
import dev.holdfast.testing.TestPostgres;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PoolerTest {
    private static final String PASSES_OVER = "ignore_startup_parameters = extra_float_digits,options";

    @ParameterizedTest
    @ValueSource(strings = {"server_round_robin = 0", "server_round_robin = 1"})
    void a_pooler_that_shares_sessions_among_transactions_is_refused_with_what_to_do(String order) throws Exception {
        Programs.assumeInstalled("pgbouncer", "Debian's package pgbouncer");
        try (TestPooler pooler =
                new TestPooler(TestPostgres.freshDatabase(), "pool_mode = transaction", PASSES_OVER, order)) {
            assertThatThrownBy(() -> PostgresStore.open(pooler.address()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("whatever session is free")
                    .hasMessageContaining("PostgreSQL's own address")
                    .hasMessageContaining("pool_mode = session");
        }
    }

    @Test
    void a_pooler_that_refuses_the_settings_is_named_with_what_to_do() throws Exception {
        Programs.assumeInstalled("pgbouncer", "Debian's package pgbouncer");
        try (TestPooler pooler = new TestPooler(TestPostgres.freshDatabase(), "pool_mode = transaction")) {
            assertThatThrownBy(() -> PostgresStore.open(pooler.address()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("PostgreSQL's own address");
        }
    }

    @Test
    void a_pooler_that_keeps_one_session_per_connection_works() throws Exception {
        Programs.assumeInstalled("pgbouncer", "Debian's package pgbouncer");
        try (TestPooler pooler = new TestPooler(TestPostgres.freshDatabase(), PASSES_OVER);
                PostgresStore store = PostgresStore.open(pooler.address());
                Claims claims = Claims.over(store)) {
            assertThat(claims.claim(ClaimRequest.of(Resource.key("k"), "ann")))
                    .isInstanceOf(ClaimOutcome.Granted.class);
        }
    }

    @Test
    void sessions_that_are_shared_are_told_from_those_that_are_not() {
        assertThat(PoolerCheck.shared(List.of(1L, 2L, 2L, 1L, 1L, 2L, 2L, 1L))).isFalse();
        assertThat(PoolerCheck.shared(List.of(1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L)))
                .as("the one used last, for both")
                .isTrue();
        assertThat(PoolerCheck.shared(List.of(1L, 2L, 1L, 2L, 1L, 2L, 1L, 2L)))
                .as("round by round")
                .isTrue();
        assertThat(PoolerCheck.shared(List.of(1L, 2L, 2L, 1L, 1L, 2L, 3L, 1L)))
                .as("now and then another")
                .isTrue();
    }
}
