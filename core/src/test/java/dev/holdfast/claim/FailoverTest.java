package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.event.Event;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.TestFailover;
import dev.holdfast.testing.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two real servers: a standby is promoted that lacks the last acknowledged grants. */
@Timeout(300)
class FailoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Resource held = Resource.key("held");
    private final Resource free = Resource.key("free");
    private final Resource fresh = Resource.key("fresh");
    private final Resource work = Resource.parse("work:w");

    @Test
    void after_a_failover_nobody_is_given_a_generation_that_a_lost_grant_had() throws Exception {
        try (TestFailover servers = new TestFailover();
                PostgresStore store = PostgresStore.open(servers.address());
                Claims claims = Claims.over(store);
                PostgresStore otherStore = PostgresStore.open(servers.address());
                Claims others = Claims.over(otherStore)) {
            List<Event> heard = new CopyOnWriteArrayList<>();
            others.tail().watch(heard::add);
            take(claims, held, "ann");
            claims.heartbeat(held, Fence.of("ann", 1));
            Claim before = take(claims, free, "ann");
            claims.release(before, null);
            claims.create(NewResource.of(work));
            servers.cutOffStandby();

            // acknowledged, and lost
            assertThat(take(claims, free, "bob").generation()).isEqualTo(2);
            assertThat(take(claims, fresh, "bob").generation()).isEqualTo(1);
            assertThat(take(claims, work, "bob").generation()).isEqualTo(1);
            claims.reclaim(held, 1, "lost");
            assertThat(take(others, held, "bob").generation()).isEqualTo(3);
            await().until(() -> claims.tail().latest() > 0
                    && heard.stream().anyMatch(event -> event.resource().equals(work.toString())));
            long lastLost = claims.tail().latest();
            servers.failOver();

            for (Resource resource : List.of(free, fresh, work, held)) {
                assertThat(takeWhenItIsBack(claims, resource, "cleo").generation())
                        .as("generation of %s", resource)
                        .isGreaterThan(1_000_000);
                assertThat(others.heartbeat(resource, Fence.of("bob", 2))).isInstanceOf(Refusal.Lost.class);
            }
            assertThat(claims.heartbeat(held, Fence.of("ann", 1))).isInstanceOf(Refusal.Lost.class);
            assertThat(claims.heartbeat("ann").lost())
                    .singleElement()
                    .satisfies(lost -> assertThat(lost.reason()).isEqualTo("failover"));
            List<Event> after = claims.tail().after(lastLost, 100);
            assertThat(after)
                    .extracting(Event::type)
                    .containsSubsequence("reclaimed", "failover_detected", "claimed", "claimed", "claimed", "claimed");
            assertThat(after.stream().filter(event -> event.type().equals("failover_detected")))
                    .hasSize(1);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(heard)
                            .extracting(Event::id)
                            .containsAll(after.stream().map(Event::id).toList()));
        }
    }

    /** Its grant is lost, so it is ready again, although no event says so. */
    @Test
    void what_was_remembered_as_ready_is_forgotten_with_a_failover() throws Exception {
        try (TestFailover servers = new TestFailover();
                PostgresStore store = PostgresStore.open(servers.address());
                Claims claims = Claims.over(store)) {
            claims.create(NewResource.of(work).priority(0));
            claims.create(NewResource.of(Resource.parse("work:later")));
            claims.create(NewResource.of(Resource.parse("work:last")));
            servers.cutOffStandby();
            assertThat(next(claims)).isEqualTo(work);
            servers.failOver();
            takeWhenItIsBack(claims, free, "cleo");
            assertThat(next(claims)).isEqualTo(work);
        }
    }

    private static Resource next(Claims claims) {
        return ((Granted) claims.claimNext(NextRequest.of(Kind.WORK, "bob")))
                .claim()
                .resource();
    }

    /** Both as a copy of the database that replaces it, and as a dump that is restored into the same database. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_backup_that_was_restored_on_the_same_server_is_noticed_too(boolean copy) throws Exception {
        String address = TestPostgres.freshDatabase();
        try (PostgresStore store = PostgresStore.open(address);
                Claims claims = Claims.over(store)) {
            take(claims, held, "ann");
        }
        String restored = copy ? TestPostgres.copy(address) : address;
        if (!copy) {
            TestPostgres.execute(address, "ALTER TABLE known_server RENAME TO before");
            TestPostgres.execute(address, "CREATE TABLE known_server (LIKE before INCLUDING ALL)");
            TestPostgres.execute(address, "INSERT INTO known_server SELECT * FROM before");
        }
        try (PostgresStore store = PostgresStore.open(restored);
                Claims claims = Claims.over(store)) {
            assertThat(claims.heartbeat(held, Fence.of("ann", 1))).isInstanceOf(Refusal.Lost.class);
            assertThat(take(claims, held, "bob").generation()).isGreaterThan(1_000_000);
        }
    }

    @Test
    void a_broker_that_starts_after_the_failover_notices_it_too_and_a_second_start_does_nothing() throws Exception {
        try (TestFailover servers = new TestFailover()) {
            failOverAfterAClaim(servers);
            long first;
            try (PostgresStore store = PostgresStore.open(servers.address());
                    Claims claims = Claims.over(store)) {
                assertThat(claims.held(null, null, null)).isEmpty();
                first = take(claims, held, "bob").generation();
                assertThat(first).isGreaterThan(1_000_000);
            }
            try (PostgresStore store = PostgresStore.open(servers.address());
                    Claims claims = Claims.over(store)) {
                assertThat(claims.held(null, null, null))
                        .singleElement()
                        .satisfies(claim -> assertThat(claim.generation()).isEqualTo(first));
            }
            assertThat(servers.value(1, "SELECT count(*) FROM events WHERE type = 'failover_detected'"))
                    .isEqualTo("1");
        }
    }

    @Test
    void finalizations_in_plain_sql_notice_a_failover_without_any_broker() throws Exception {
        try (TestFailover servers = new TestFailover()) {
            failOverAfterAClaim(servers);
            servers.value(1, "SELECT outcome FROM claim_task_for_finalization('no such task', 'p')");
            assertThat(servers.value(1, "SELECT count(*) FROM resources WHERE state = 'held'"))
                    .isEqualTo("0");
            assertThat(servers.value(1, "SELECT least_generation() > 1000000")).isEqualTo("t");
        }
    }

    private void failOverAfterAClaim(TestFailover servers) throws Exception {
        try (PostgresStore store = PostgresStore.open(servers.address());
                Claims claims = Claims.over(store)) {
            take(claims, held, "ann");
        }
        servers.cutOffStandby();
        servers.failOver();
    }

    private static Claim take(Claims claims, Resource resource, String holder) {
        return ((Granted) claims.claim(ClaimRequest.of(resource, holder))).claim();
    }

    private static Claim takeWhenItIsBack(Claims claims, Resource resource, String holder) {
        return ((Granted) await().atMost(PATIENCE)
                        .until(() -> claims.claim(ClaimRequest.of(resource, holder)), Granted.class::isInstance))
                .claim();
    }
}
