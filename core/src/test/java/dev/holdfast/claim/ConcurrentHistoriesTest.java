package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Call.Answer;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.ChildJvm;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What many threads and processes do at the same time on few resources is linearizable and breaks no invariant. */
class ConcurrentHistoriesTest {
    @ParameterizedTest
    @EnumSource(Engine.class)
    void sixty_four_threads_on_four_resources(Engine engine) {
        run(engine, 64, engine == Engine.SQLITE ? 200 : 100);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    @Tag("heavy")
    void sixty_four_threads_for_long(Engine engine) {
        for (int i = 0; i < 10; i++) {
            run(engine, 64, 400);
        }
    }

    private static void run(Engine engine, int threads, int callsEach) {
        try (TestStore on = TestStore.ticking(engine)) {
            List<Call> calls =
                    HistoryWorkload.of("agent", threads, callsEach, threads).run(on.store());
            assertEverythingHappened(calls);
            assertThat(HistoryCheck.broken(calls, StoreClaims.events(on.store())))
                    .isEmpty();
        }
    }

    @Test
    void four_processes_on_one_database(@TempDir Path folder) throws Exception {
        processes(folder, 40);
    }

    @Test
    @Tag("heavy")
    void four_processes_on_one_database_for_long(@TempDir Path folder) throws Exception {
        processes(folder, 1_500);
    }

    private static void processes(Path folder, int callsEach) throws Exception {
        String database = TestPostgres.freshDatabase();
        long before = System.nanoTime();
        List<ChildJvm> processes = new ArrayList<>();
        for (String name : List.of("p1", "p2", "p3", "p4")) {
            processes.add(
                    HistoryProcess.start(List.of(), List.of(), database, name, 8, callsEach, folder.resolve(name)));
        }
        for (ChildJvm process : processes) {
            assertThat(process.exitCode(300)).as(process.output()).isZero();
        }
        long after = System.nanoTime();
        List<Call> calls = new ArrayList<>();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                calls.addAll(HistoryProcess.read(file));
            }
        }
        // the order of calls from different processes is known only because they share this clock
        assertThat(calls).allMatch(call -> call.invoked() > before && call.returned() < after);
        assertEverythingHappened(calls);
        try (PostgresStore store = PostgresStore.open(database)) {
            assertThat(HistoryCheck.broken(calls, StoreClaims.events(store))).isEmpty();
        }
    }

    /** A history without contention and without expired leases would prove nothing. */
    private static void assertEverythingHappened(List<Call> calls) {
        assertThat(calls.stream().map(Call::answer))
                .contains(
                        Answer.GRANTED,
                        Answer.TAKEN_OVER,
                        Answer.HELD,
                        Answer.EXTENDED,
                        Answer.ENDED,
                        Answer.REPLAYED,
                        Answer.LOST);
        assertThat(calls.stream().filter(Call::unknown).count()).isLessThan(calls.size() / 10);
    }
}
