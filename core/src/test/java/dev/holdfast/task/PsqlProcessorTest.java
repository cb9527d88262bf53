package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Leases;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Store;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.TestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A processor that is nothing but psql works beside two brokers. */
class PsqlProcessorTest {
    @Test
    void psql_claims_extends_loses_and_finishes_beside_two_brokers() throws Exception {
        Programs.assumeInstalled("psql", "apt install postgresql-client");
        try (TestStore store = TestStore.settable(Engine.POSTGRES);
                Store secondStore = PostgresStore.open(Objects.requireNonNull(store.address()));
                Claims claims = Claims.over(store.store(), Leases.defaults());
                Claims secondClaims = Claims.over(secondStore, Leases.defaults())) {
            Tasks first = new Tasks(store.store(), claims, () -> "t1", _ -> {});
            Tasks second = new Tasks(secondStore, secondClaims, () -> "t2", _ -> {});
            first.create(NewTask.of("by hand", NewStep.of("a"), NewStep.of("b")).finalizer(Finalizer.EXTERNAL));
            complete(first);

            assertThat(psql(store, "SELECT * FROM claim_task_for_finalization('t1', 'psql')"))
                    .isEqualTo("t|psql|has_ready_steps|Successfully claimed for finalization|1|2");
            assertThat(second.finalizations().claim("t1", "java", null, null).alreadyClaimedBy())
                    .isEqualTo("psql");
            assertThat(psql(store, "SELECT message FROM claim_task_for_finalization('t1', 'psql', 30, 1)"))
                    .isEqualTo("Claim extended");

            store.settableClock().advance(Duration.ofMinutes(1));
            assertThat(second.finalizations().claim("t1", "java", null, null).claimGeneration())
                    .isEqualTo(2);
            complete(second);
            assertThat(psql(store, "SELECT finished, message FROM finish_task('t1', 'psql', 1)"))
                    .isEqualTo("f|Claim lost to java");
            assertThat(psql(store, "SELECT release_finalization_claim('t1', 'psql', 1)"))
                    .isEqualTo("f");
            first.finalizations().release("t1", "java", 2L, null);

            assertThat(psql(
                            store,
                            "SELECT claim_generation, requested_seq FROM claim_task_for_finalization('t1', 'psql')"))
                    .isEqualTo("3|3");
            assertThat(psql(store, "SELECT finished, reevaluate FROM finish_task('t1', 'psql', 3, 2)"))
                    .isEqualTo("f|t");
            assertThat(psql(store, "SELECT finished, task_state FROM finish_task('t1', 'psql', 3, 3)"))
                    .isEqualTo("t|complete");
            assertThat(second.get("t1").state()).isEqualTo(TaskState.COMPLETE);
            assertThat(second.attempts("t1", 0, 100))
                    .extracting(Attempt::processorId)
                    .contains("psql", "java");
        }
    }

    private static void complete(Tasks tasks) {
        Steps.Given given = tasks.steps()
                .claimNext("agent", null, null, null, Duration.ZERO)
                .orElseThrow();
        tasks.steps().complete(given.step().id(), given.claim().fence(), null);
    }

    private static String psql(TestStore store, String statement) throws IOException, InterruptedException {
        String address = Objects.requireNonNull(store.address()).replaceFirst("^jdbc:", "");
        Process process = new ProcessBuilder(List.of("psql", "-X", "-A", "-t", "-c", statement, address))
                .redirectErrorStream(true)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(answer).isZero();
        return answer;
    }
}
