package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import dev.holdfast.work.WorkHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The small race for work items, every call a process of the real command line. */
@Timeout(300)
class WorkRaceTest {
    private static final int AGENTS = 4;
    private static final int ITEMS = 12;

    private final Queue<String> closed = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @EnumSource
    void command_lines_that_claim_the_next_item_do_each_once_in_an_order_that_dependencies_allow(
            Engine engine, @TempDir Path folder) throws Exception {
        try (Broker broker = Broker.start(Config.of(store(engine, folder).put(Setting.PORT, 0L)));
                ExecutorService agents = Executors.newFixedThreadPool(AGENTS)) {
            Map<String, Set<String>> backlog = plan(broker.url());
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < AGENTS; i++) {
                String holder = "agent-" + i;
                // the same by both names
                String[] claim = i % 2 == 0
                        ? new String[] {"claim", "--next", "--everywhere", "--json"}
                        : new String[] {"work", "claim", "--next", "--everywhere", "--json"};
                running.add(agents.submit(() -> {
                    work(broker.url(), holder, claim);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            WorkHistory history =
                    new WorkHistory(broker.claims().tail().after(0, 1_000), backlog, Duration.ofMinutes(45));
            assertThat(history.wrong()).isEmpty();
            assertThat(closed).containsExactlyInAnyOrderElementsOf(backlog.keySet());
        }
    }

    private static Settings store(Engine engine, Path folder) {
        return switch (engine) {
            case SQLITE ->
                new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
            case POSTGRES -> new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
        };
    }

    /** Each waits for the one three before it. */
    private static Map<String, Set<String>> plan(String url) {
        Map<String, Set<String>> backlog = new LinkedHashMap<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            List<String> words = new ArrayList<>(List.of("work", "create", "item " + i));
            Set<String> after = i < 3 ? Set.of() : Set.of(ids.get(i - 3));
            after.forEach(id -> words.addAll(List.of("--after", id)));
            String id = Ran.command(
                            Map.of("HOLDFAST_URL", url, "HOLDFAST_AGENT", "planner"), words.toArray(String[]::new))
                    .out()
                    .strip();
            ids.add(id);
            backlog.put(id, after);
        }
        return backlog;
    }

    private void work(String url, String holder, String... claim) throws IOException, InterruptedException {
        while (closed.size() < ITEMS) {
            Ran taken = CommandProcess.run(url, holder, claim);
            String id = taken.json().object("item").text("id");
            int expected = (id == null ? ExitCode.NOT_CLAIMABLE : ExitCode.DONE).number();
            assertThat(taken.exitCode()).as(taken.out() + taken.err()).isEqualTo(expected);
            if (id != null) {
                Number generation = taken.json().object("claim").number("claim_generation");
                Ran close = Ran.command( // what races is the claim
                        Map.of("HOLDFAST_URL", url, "HOLDFAST_AGENT", holder),
                        "work",
                        "close",
                        id,
                        "--generation",
                        String.valueOf(generation));
                assertThat(close.exitCode()).as(close.err()).isZero();
                closed.add(id);
            }
        }
    }
}
