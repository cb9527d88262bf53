package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is to be done when a task has ended. */
abstract class OutboxContract extends OnAStore {
    private static final Duration MINE = Duration.ofMinutes(1);
    private static final Outbox.Slots HERE = new Outbox.Slots() {
        @Override
        public @Nullable String of(String payload) {
            return null;
        }

        @Override
        public boolean free(String place) {
            throw new AssertionError("nothing is done elsewhere");
        }
    };

    OutboxContract(Engine engine) {
        super(engine);
    }

    private Task ended(String onFinish) {
        Task task = tasks.create(new NewTask(
                "hook", "", List.of(NewStep.of("a")), Policy.ALL_SETTLED, Finalizer.EXTERNAL, onFinish, null, null));
        Steps.ClaimedStep given =
                tasks.steps().claimNext("x", null, null, null, Duration.ZERO).orElseThrow();
        tasks.steps().complete(given.step().id(), given.claim().fence(), null);
        Finalizations.Claimed claimed = tasks.finalizations().claim(task.id(), "p", null, null);
        tasks.finalizations()
                .finish(
                        task.id(),
                        "p",
                        Objects.requireNonNull(claimed.claimGeneration()),
                        Objects.requireNonNull(claimed.requestedSeq()),
                        null);
        return task;
    }

    @Test
    void what_is_to_be_done_at_the_end_is_due_until_somebody_has_done_it() {
        Task task = ended("{}");
        Outbox outbox = tasks.outbox();
        Outbox.Due first = outbox.take(MINE, HERE).orElseThrow();
        assertThat(outbox.take(MINE, HERE)).isEmpty();
        store.settableClock().advance(Duration.ofMinutes(2));
        Outbox.Due second = outbox.take(MINE, HERE).orElseThrow();
        assertThat(second).isEqualTo(new Outbox.Due(task.id(), "{}", 2));
        outbox.failed(first, "late", null);
        outbox.failed(second, "no answer", Duration.ofMinutes(5));
        assertThat(outbox.take(MINE, HERE)).isEmpty();
        store.settableClock().advance(Duration.ofMinutes(5));
        outbox.done(outbox.take(MINE, HERE).orElseThrow());
        store.settableClock().advance(Duration.ofDays(5));
        assertThat(outbox.take(MINE, HERE)).isEmpty();
    }

    @Test
    void what_waits_for_a_place_that_is_taken_holds_up_nothing_else_and_keeps_its_turn_and_its_attempts() {
        Outbox outbox = tasks.outbox();
        List<String> waiting = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            waiting.add(ended("slow").id());
        }
        Task quick = ended("quick");
        Set<String> taken = new HashSet<>(Set.of("slow"));
        Outbox.Slots slots = new Outbox.Slots() {
            @Override
            public String of(String payload) {
                return payload;
            }

            @Override
            public boolean free(String place) {
                return !taken.contains(place);
            }
        };
        assertThat(outbox.take(MINE, slots)).map(Outbox.Due::taskId).hasValue(quick.id());
        assertThat(outbox.take(MINE, slots)).isEmpty();

        taken.clear();
        waiting.add(ended("slow").id());
        List<Outbox.Due> rest = new ArrayList<>();
        Optional<Outbox.Due> next = outbox.take(MINE, slots);
        while (next.isPresent()) {
            rest.add(next.get());
            next = outbox.take(MINE, slots);
        }
        assertThat(rest).extracting(Outbox.Due::taskId).containsExactlyElementsOf(waiting);
        assertThat(rest).extracting(Outbox.Due::attempt).containsOnly(1L);
    }

    @Test
    void whatever_an_endpoint_sent_can_be_written_down_as_an_error() {
        Task task = ended("{}");
        tasks.outbox().failed(tasks.outbox().take(MINE, HERE).orElseThrow(), "bad \0 head \ud800 of\r\n it", null);
        assertThat(tasks.explain(task.id()).toString()).contains("bad ? head ? of?? it");
    }
}
