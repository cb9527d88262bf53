package dev.holdfast.broker.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Leases;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.task.Attempt;
import dev.holdfast.task.NewStep;
import dev.holdfast.task.NewTask;
import dev.holdfast.task.Steps;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import dev.holdfast.task.Tasks;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The store refuses one of the writes that ending a task takes; its clock stands still, so no lease runs out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokerFinalizerTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Each write of the transaction that ends a task, as the condition of a trigger. */
    private static final List<String> WRITES = List.of(
            "UPDATE ON tasks|NEW.state = 'complete'",
            "UPDATE ON resources|NEW.kind = 'finalization' AND NEW.state = 'done'",
            "INSERT ON events|NEW.type = 'task_finished'",
            "INSERT ON outbox|NEW.task_id IS NOT NULL",
            "INSERT ON finalization_attempts|NEW.operation = 'finish'");

    private final Map<Engine, TestStore> stores = new EnumMap<>(Engine.class);

    @BeforeAll
    void open() {
        for (Engine engine : Engine.values()) {
            stores.put(engine, TestStore.settable(engine));
        }
    }

    @AfterAll
    void close() {
        stores.values().forEach(TestStore::close);
    }

    static Stream<Arguments> refusedWrites() {
        return Stream.of(Engine.values()).flatMap(engine -> WRITES.stream().map(write -> Arguments.of(engine, write)));
    }

    @ParameterizedTest
    @MethodSource("refusedWrites")
    void a_claim_is_released_when_the_finalizer_errs_at_any_write(Engine engine, String write) {
        TestStore store = Objects.requireNonNull(stores.get(engine));
        store.empty();
        List<Task> due = new ArrayList<>();
        try (Claims claims = Claims.over(store.store(), Leases.defaults());
                Tasks tasks =
                        new Tasks(store.store(), claims, () -> UUID.randomUUID().toString(), due::add);
                BrokerFinalizer finisher = new BrokerFinalizer(tasks, "broker")) {
            String id = tasks.create(NewTask.of("one", NewStep.of("only"))).id();
            Steps.ClaimedStep step = tasks.steps()
                    .claimNext("ann", null, null, null, Duration.ZERO)
                    .orElseThrow();
            tasks.steps().complete(step.step().id(), step.claim().fence(), null);
            await().atMost(LIMIT).until(() -> !due.isEmpty());
            refuse(store, write);

            finisher.due(due.getFirst());

            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(tasks.attempts(id, 0, 10))
                            .extracting(Attempt::outcome)
                            .containsExactly("granted", "released"));
            assertThat(claims.held(Kind.FINALIZATION, null, null)).isEmpty();
            assertThat(tasks.get(id).state()).isEqualTo(TaskState.OPEN);

            allow(store, write);
            finisher.sweep();

            assertThat(tasks.get(id).state()).isEqualTo(TaskState.COMPLETE);
        }
    }

    private static void refuse(TestStore store, String write) {
        String[] parts = write.split("\\|");
        switch (store.store().engine()) {
            case SQLITE ->
                run(
                        store,
                        "CREATE TRIGGER refused BEFORE " + parts[0] + " WHEN " + parts[1]
                                + " BEGIN SELECT RAISE(ABORT, 'refused by the test'); END");
            case POSTGRES -> {
                run(
                        store,
                        "CREATE OR REPLACE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS"
                                + " 'BEGIN RAISE EXCEPTION ''refused by the test''; END'");
                run(
                        store,
                        "CREATE TRIGGER refused BEFORE " + parts[0] + " FOR EACH ROW WHEN (" + parts[1]
                                + ") EXECUTE FUNCTION refused()");
            }
        }
    }

    private static void allow(TestStore store, String write) {
        String table = write.replaceAll(".* ON |\\|.*", "");
        run(store, "DROP TRIGGER refused" + (store.store().engine() == Engine.POSTGRES ? " ON " + table : ""));
    }

    private static void run(TestStore store, String statement) {
        store.store().write(transaction -> transaction.update(Sql.of(statement), _ -> {}));
    }
}
