package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.store.StoreObserver;
import dev.holdfast.testing.TestStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Calls on different resources that share a commit are answered as if each had come alone. */
class CombinedClaimsProperties {
    private static final List<Resource> KEYS =
            IntStream.range(0, 24).mapToObj(i -> Resource.key("k" + i)).toList();
    private static final TestStore SQLITE = TestStore.settable(Engine.SQLITE);
    private static final TestStore POSTGRES = TestStore.settable(Engine.POSTGRES);
    private static final AtomicInteger LARGEST_ON_SQLITE = observed(SQLITE);
    private static final AtomicInteger LARGEST_ON_POSTGRES = observed(POSTGRES);

    private static AtomicInteger observed(TestStore on) {
        AtomicInteger largest = new AtomicInteger();
        on.store().observer(new StoreObserver() {
            @Override
            public void combined(int requests) {
                largest.accumulateAndGet(requests, Math::max);
            }
        });
        return largest;
    }

    @AfterContainer
    static void commits_were_shared() {
        SQLITE.close();
        POSTGRES.close();
        assertThat(LARGEST_ON_SQLITE).hasValueGreaterThan(1);
        assertThat(LARGEST_ON_POSTGRES).hasValueGreaterThan(1);
    }

    /** Rounds of calls, one for each key, all made at once. */
    @Provide
    Arbitrary<List<List<Step>>> rounds() {
        return Arbitraries.<List<Step>>randomValue(random -> {
                    RandomSteps steps = new RandomSteps(random);
                    return KEYS.stream()
                            .map(key -> random.nextBoolean() ? steps.claim(key) : steps.endOrBeat(key))
                            .toList();
                })
                .list()
                .ofMinSize(2)
                .ofMaxSize(8);
    }

    @Property(tries = 40)
    void calls_made_at_once_on_sqlite_are_answered_as_by_the_model(@ForAll("rounds") List<List<Step>> rounds)
            throws Exception {
        assertSameAnswers(SQLITE, rounds);
    }

    @Property(tries = 40)
    void calls_made_at_once_on_postgresql_are_answered_as_by_the_model(@ForAll("rounds") List<List<Step>> rounds)
            throws Exception {
        assertSameAnswers(POSTGRES, rounds);
    }

    private static void assertSameAnswers(TestStore on, List<List<Step>> rounds)
            throws InterruptedException, ExecutionException {
        on.empty();
        ModelClaims model = new ModelClaims();
        try (StoreClaims claims = StoreClaims.on(on);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (List<Step> round : rounds) {
                List<Function<Subject, Object>> calls =
                        round.stream().map(step -> step.call(model)).toList();
                List<Object> expected =
                        calls.stream().map(call -> call.apply(model)).toList();
                List<Future<Object>> answers = new ArrayList<>();
                for (Function<Subject, Object> call : calls) {
                    answers.add(threads.submit(() -> call.apply(claims)));
                }
                for (int i = 0; i < calls.size(); i++) {
                    assertThat(answers.get(i).get()).as("%s", round.get(i)).isEqualTo(expected.get(i));
                }
            }
            assertThat(claims.held()).isEqualTo(model.held());
            assertThat(ofEachResource(claims)).isEqualTo(ofEachResource(model));
        }
    }

    private static Map<Resource, List<Subject.DomainEvent>> ofEachResource(Subject subject) {
        return subject.events().stream().collect(Collectors.groupingBy(Subject.DomainEvent::resource));
    }
}
