package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Store;
import dev.holdfast.testing.SettableClock;
import dev.holdfast.testing.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two brokers on one PostgreSQL: what one of them does wakes those who wait at the other. */
class TwoBrokersTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final String database = TestPostgres.freshDatabase();
    private final SettableClock clock = SettableClock.in(database);
    private final Store hereStore = PostgresStore.open(database);
    private final Store thereStore = PostgresStore.open(database);
    private final Claims here = Claims.over(hereStore);
    private final Claims there = Claims.over(thereStore);
    private final ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        here.close();
        there.close();
        hereStore.close();
        thereStore.close();
        clock.close();
        agents.shutdownNow();
    }

    @Test
    void what_is_made_at_one_is_given_to_one_who_waits_at_the_other() throws Exception {
        List<Future<ClaimOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(waitForWork("agent-" + i));
        }
        await().until(() -> here.waiting(Kind.WORK) == 5);
        there.create(NewResource.of(new Resource(Kind.WORK, "w")));
        await().atMost(LONG).until(() -> waiting.stream().anyMatch(Future::isDone));
        assertThat(here.waiting(Kind.WORK)).isEqualTo(4);
        here.stopWaiting();
        List<ClaimOutcome> outcomes = new ArrayList<>();
        for (Future<ClaimOutcome> one : waiting) {
            outcomes.add(one.get(30, TimeUnit.SECONDS));
        }
        assertThat(outcomes).filteredOn(Granted.class::isInstance).hasSize(1);
        assertThat(outcomes).filteredOn(Nothing.class::isInstance).hasSize(4);
    }

    @Test
    void what_is_let_go_at_one_is_given_to_the_one_who_waits_for_it_at_the_other() throws Exception {
        Resource key = Resource.key("deploy");
        Claim first = ((Granted) there.claim(ClaimRequest.of(key, "first"))).claim();
        Future<ClaimOutcome> second =
                agents.submit(() -> here.claim(ClaimRequest.of(key, "second").waiting(LONG)));
        await().until(() -> here.waiting(key) == 1);
        there.release(first, "over to you");
        assertThat(second.get(30, TimeUnit.SECONDS)).isInstanceOfSatisfying(Granted.class, granted -> {
            assertThat(granted.claim().generation()).isEqualTo(first.generation() + 1);
            assertThat(granted.note()).isEqualTo("over to you");
        });
    }

    @Test
    void what_one_finds_to_be_due_is_given_to_one_who_waits_at_the_other() throws Exception {
        there.create(NewResource.of(new Resource(Kind.WORK, "later"))
                .notBefore(clock.now().plus(Duration.ofMinutes(1))));
        Future<ClaimOutcome> waiting = waitForWork("agent");
        await().until(() -> here.waiting(Kind.WORK) == 1);
        clock.advance(Duration.ofMinutes(2));
        there.claimNext(NextRequest.of(Kind.REVIEW, "passer-by"));
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isInstanceOf(Granted.class);
    }

    @Test
    void the_more_urgent_thing_made_at_the_other_comes_first_once_its_event_was_heard() {
        for (int i = 0; i < 10; i++) {
            here.create(NewResource.of(new Resource(Kind.WORK, "ordinary-" + i)));
        }
        here.claimNext(NextRequest.of(Kind.WORK, "agent-0"));
        there.create(NewResource.of(new Resource(Kind.WORK, "urgent")).priority(0));
        List<String> given = new ArrayList<>();
        await().atMost(LONG).until(() -> {
            Granted next = (Granted) here.claimNext(NextRequest.of(Kind.WORK, "agent-" + (given.size() + 1)));
            given.add(next.claim().resource().id());
            here.release(next.claim(), null);
            return given.getLast().equals("urgent");
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60, -3_600})
    void a_grant_by_the_other_whose_answer_was_lost_is_given_again(long seconds) {
        for (String id : List.of("1", "2", "3")) {
            here.create(NewResource.of(new Resource(Kind.WORK, id)));
        }
        NextRequest next = NextRequest.of(Kind.WORK, "agent");
        Claim done = ((Granted) here.claimNext(next)).claim();
        here.complete(done.resource(), done.fence(), "done");
        clock.advance(Duration.ofSeconds(seconds));
        Claim lost = ((Granted) there.claimNext(next)).claim();
        assertThat(here.claimNext(next)).isInstanceOfSatisfying(AlreadyHeld.class, again -> {
            assertThat(again.claim().resource()).isEqualTo(lost.resource());
            assertThat(again.claim().generation()).isEqualTo(lost.generation());
        });
    }

    private Future<ClaimOutcome> waitForWork(String agent) {
        return agents.submit(
                () -> here.claimNext(NextRequest.of(Kind.WORK, agent).waiting(LONG)));
    }
}
