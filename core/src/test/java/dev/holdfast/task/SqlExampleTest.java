package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Leases;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.TestStore;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the docs tell a processor that speaks plain SQL. */
class SqlExampleTest {
    @Test
    void the_example_in_the_docs_works_as_it_stands() throws Exception {
        Programs.assumeInstalled("psql", "apt install postgresql-client");
        String page = Files.readString(Path.of("..", "docs", "tasks.md"));
        String example = page.substring(page.indexOf("```sql") + 6);
        example = example.substring(0, example.indexOf("```")).replace("'TASK'", "'t1'");
        try (TestStore store = TestStore.settable(Engine.POSTGRES);
                Claims claims = Claims.over(store.store(), Leases.defaults());
                Tasks tasks = new Tasks(store.store(), claims, () -> "t1", _ -> {})) {
            tasks.create(NewTask.of("by hand", NewStep.of("a"), NewStep.of("b"), NewStep.of("c"), NewStep.of("d"))
                    .finalizer(Finalizer.EXTERNAL));
            for (int i = 0; i < 4; i++) {
                complete(tasks);
            }
            String answers = psql(store, example, "--set=ON_ERROR_STOP=1");
            for (String promised : example.lines()
                    .filter(line -> line.startsWith("--"))
                    .map(line -> line.substring(2).replaceAll("\\s+", ""))
                    .toList()) {
                assertThat(answers.replaceAll("[ \t]+", "").lines()).contains(promised);
            }
            assertThat(tasks.get("t1").state()).isEqualTo(TaskState.COMPLETE);
            assertThat(tasks.attempts("t1", 0, 10))
                    .extracting(Attempt::outcome)
                    .containsExactly("granted", "extended", "finished", "not_owned");
        }
    }

    private static void complete(Tasks tasks) {
        Steps.ClaimedStep given = tasks.steps()
                .claimNext("agent", null, null, null, Duration.ZERO)
                .orElseThrow();
        tasks.steps().complete(given.step().id(), given.claim().fence(), null);
    }

    private static String psql(TestStore store, String pasted, String... options)
            throws IOException, InterruptedException {
        String address = Objects.requireNonNull(store.address()).replaceFirst("^jdbc:", "");
        Process process = new ProcessBuilder(Stream.concat(Stream.of("psql", "-X", "-d", address), Stream.of(options))
                        .toList())
                .redirectErrorStream(true)
                .start();
        try (Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
            input.write(pasted);
        }
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(answer).isZero();
        return answer;
    }
}
