package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.pool.engine.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Processes that do what no reviewer should. */
class ReviewerProcessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final String id = "command-r1-" + UUID.randomUUID().toString().substring(0, 8);
    private final List<ReviewerProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(process -> process.end(Duration.ZERO));
    }

    @Test
    void it_gets_its_prompt_its_own_environment_and_nothing_else_of_ours() throws Exception {
        ReviewerProcess process = start(
                Map.of("OPENAI_API_KEY", "secret", "PATH", System.getenv("PATH")),
                new Launch(
                        List.of("sh", "-c", "cat; env; pwd"),
                        Map.of("HOLDFAST_TOKEN", "t0ken"),
                        Set.of("PATH"),
                        "review this\n",
                        folder));
        assertThat(exit(process)).isZero();
        assertThat(output())
                .contains("review this", "HOLDFAST_TOKEN=t0ken", "HOLDFAST_REVIEWER=" + id, folder.toString())
                .noneMatch(line -> line.contains("secret"));
    }

    /** Every token may read the log. */
    @Test
    void its_token_and_keys_are_not_in_its_log_even_if_it_prints_them() throws Exception {
        ReviewerProcess process = start(
                Map.of("OPENAI_API_KEY", "sk-of-the-company", "PATH", System.getenv("PATH")),
                new Launch(
                        List.of("sh", "-c", "env; echo \"Authorization: Bearer $HOLDFAST_TOKEN\" >&2"),
                        Map.of("HOLDFAST_TOKEN", "hfr_0123456789abcdef"),
                        Set.of("PATH", "OPENAI_API_KEY"),
                        null,
                        folder));
        assertThat(exit(process)).isZero();
        assertThat(output()).contains("HOLDFAST_TOKEN=•••", "OPENAI_API_KEY=•••", "Authorization: Bearer •••");
        assertThat(output().toString() + process.lastOutput())
                .doesNotContain("hfr_0123456789abcdef", "sk-of-the-company");
    }

    @Test
    void no_word_of_its_arguments_is_expanded() throws Exception {
        Path victim = folder.resolve("victim");
        List<String> nasty = List.of(
                "$(touch " + victim + ")", "`touch " + victim + "`", "; touch " + victim, "*", "~", "$HOME", "a b", "");
        List<String> argv = new ArrayList<>(List.of("printf", "%s\n"));
        argv.addAll(nasty);
        assertThat(exit(start(argv.toArray(String[]::new)))).isZero();
        assertThat(output()).containsExactlyElementsOf(nasty);
        assertThat(victim).doesNotExist();
    }

    @Test
    void a_line_of_a_hundred_megabytes_is_taken_without_blocking_it_or_filling_memory_and_disk() throws Exception {
        ReviewerProcess process =
                start("sh", "-c", "head -c 100000000 /dev/zero | tr '\\0' 'x'; echo; echo last words >&2; exit 3");
        assertThat(exit(process)).isEqualTo(3);
        assertThat(process.lastOutput()).contains("last words").hasSizeLessThanOrEqualTo(2_000);
        try (Stream<Path> files = Files.list(folder)) {
            long bytes = files.mapToLong(file -> file.toFile().length()).sum();
            assertThat(bytes).isBetween(ReviewerLog.FULL, (ReviewerLog.KEPT + 1) * ReviewerLog.FULL);
        }
    }

    @Test
    void one_that_does_not_read_its_prompt_holds_up_nobody() throws Exception {
        ReviewerProcess process = start(
                System.getenv(),
                new Launch(List.of("sleep", "100"), Map.of(), Set.of("PATH"), "x".repeat(10_000_000), folder));
        assertThat(process.end(Duration.ofSeconds(5))).isTrue();
        assertThat(exit(process)).isEqualTo(143);
    }

    @Test
    void one_that_ignores_being_asked_is_ended_all_the_same() throws Exception {
        ReviewerProcess process = start("sh", "-c", "trap '' TERM INT HUP; echo ready; while :; do sleep 0.1; done");
        await().until(() -> output().contains("ready"));
        assertThat(process.end(Duration.ofMillis(300))).isTrue();
        assertThat(exit(process)).isEqualTo(137);
        assertThat(alive()).isEmpty();
    }

    @Test
    void all_that_it_has_started_ends_with_it_also_what_has_lost_its_parent() throws Exception {
        ReviewerProcess process = start(
                "sh",
                "-c",
                "sleep 1000 & (sleep 1001 & sleep 1002 &) ; setsid sh -c 'trap \"\" TERM; sleep 1003' & echo ready; wait");
        await().until(() -> output().contains("ready") && alive().size() >= 5);
        assertThat(process.end(Duration.ofMillis(300))).isTrue();
        await().until(() -> alive().isEmpty());
    }

    @Test
    void what_it_leaves_behind_in_its_session_is_found_though_it_hides_its_environment() throws Exception {
        ReviewerProcess process = start("sh", "-c", "env -i sleep 1004 & echo ready; exit 0");
        assertThat(exit(process)).isZero();
        assertThat(process.end(Duration.ZERO)).isTrue();
        assertThat(ProcessHandle.allProcesses()
                        .filter(ProcessHandle::isAlive)
                        .filter(one -> one.info()
                                .arguments()
                                .filter(words -> List.of(words).contains("1004"))
                                .isPresent()))
                .isEmpty();
    }

    @Test
    void an_orphan_is_known_by_its_mark_and_a_stranger_with_its_number_is_left_alone() throws Exception {
        ReviewerProcess process = start("sh", "-c", "sleep 1005 & sleep 1006");
        await().until(() -> alive().size() >= 3);
        Process stranger = new ProcessBuilder("sleep", "1007").start();
        try {
            var number = new dev.holdfast.review.pool.PoolReviewer.Started(stranger.pid(), 1);
            assertThat(ProcessTree.orphaned(number, id).end(Duration.ZERO)).isTrue();
            await().until(() -> alive().isEmpty());
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
        assertThat(exit(process)).isEqualTo(137);
    }

    @Test
    void a_program_that_is_not_there_is_told_at_once() {
        assertThatThrownBy(() -> start("no-such-reviewer"))
                .isInstanceOf(IOException.class)
                .hasMessage("no-such-reviewer was not found on the PATH");
    }

    @Test
    void characters_are_whole_however_they_arrive() throws Exception {
        ReviewerProcess process = start("sh", "-c", "printf 'gr\\303'; sleep 0.1; printf '\\274n\\n\\377\\n'");
        assertThat(exit(process)).isZero();
        assertThat(output()).containsExactly("grün", "\ufffd");
    }

    private ReviewerProcess start(String... argv) throws IOException {
        return start(System.getenv(), new Launch(List.of(argv), Map.of(), Set.of("PATH"), null, folder));
    }

    private ReviewerProcess start(Map<String, String> environment, Launch launch) throws IOException {
        ReviewerLog log = new ReviewerLog(folder, id, "0a1b2c3d", Clock.systemUTC(), ReviewerLog.FULL);
        ReviewerProcess process = ReviewerProcess.start(id, launch, environment, RemoteTermination.HERE, log);
        started.add(process);
        return process;
    }

    private static @Nullable Integer exit(ReviewerProcess process) throws Exception {
        return process.exit().get(60, TimeUnit.SECONDS);
    }

    private List<String> output() throws IOException {
        return ReviewerLog.read(folder, id, 0, 100_000).stream()
                .filter(record -> record.path("event").asString().equals("reviewer_output"))
                .map((JsonNode record) -> record.path("message").asString())
                .toList();
    }

    private Set<ProcessHandle> alive() {
        return ProcessTree.orphaned(null, id).members();
    }
}
