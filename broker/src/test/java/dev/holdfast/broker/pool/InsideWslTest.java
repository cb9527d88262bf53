package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.pool.engine.Launch;
import dev.holdfast.broker.pool.engine.Platform;
import dev.holdfast.broker.pool.engine.Wsl;
import dev.holdfast.git.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a program in WSL's place that starts, here, what it is told to start inside: the words must be right. */
class InsideWslTest {
    private final String reviewer = "codex-r1-" + UUID.randomUUID().toString().substring(0, 8);
    private final List<Process> started = new ArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private InsideWsl wsl;

    @BeforeEach
    void begin() throws IOException {
        Path program = Files.writeString(folder.resolve("wsl"), """
                #!/bin/sh
                [ "$1 $2 $3" = "-d Ubuntu --exec" ] || exit 64
                shift 3
                exec "$@"
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        wsl = new InsideWsl(new Wsl("Ubuntu", null, null, (_, folder) -> folder)::argv, new SearchPath(".:" + folder));
    }

    @AfterEach
    void end() {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String mark, String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script);
        builder.environment().put(Launch.MARK, mark);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    @Test
    void everything_with_the_mark_ends_and_nothing_else() throws IOException {
        Process own = start(reviewer, "sleep 1000 & sleep 1001");
        Process sibling = start(reviewer + "0", "sleep 1002");
        assertThat(wsl.end(reviewer, Duration.ofSeconds(10))).isTrue();
        await().until(() -> !own.isAlive());
        assertThat(sibling.isAlive()).isTrue();
    }

    @Test
    void one_that_ignores_being_asked_is_ended_all_the_same() throws IOException {
        Process own = start(reviewer, "trap '' TERM; echo ready; while :; do sleep 0.1; done");
        assertThat(own.inputReader().readLine()).isEqualTo("ready");
        assertThat(wsl.end(reviewer, Duration.ofMillis(300))).isTrue();
        await().until(() -> !own.isAlive());
    }

    @Test
    void where_wsl_can_not_be_started_it_is_told_that_some_may_be_left() {
        SearchPath nowhere = new SearchPath(folder.resolve("none").toString());
        assertThat(new InsideWsl(new Wsl("Ubuntu", null, null, (_, folder) -> folder)::argv, nowhere)
                        .end(reviewer, Duration.ZERO))
                .isFalse();
    }

    @Test
    void only_codex_on_windows_runs_inside() {
        assertThat(Engines.platform(pool("codex"), "Windows 11")).isInstanceOf(Wsl.class);
        assertThat(Engines.platform(pool("claude"), "Windows 11")).isInstanceOf(Platform.Native.class);
        assertThat(Engines.platform(pool("codex"), "Linux")).isInstanceOf(Platform.Native.class);
        assertThat(Engines.platform(pool("codex"), "Mac OS X")).isInstanceOf(Platform.Native.class);
    }

    private PoolConfig pool(String engine) {
        return new PoolConfig(
                new PoolConfig.Engine(engine, null, List.of(), Set.of(), Set.of()),
                new PoolConfig.Model("gpt-5.3-codex", "high", Map.of()),
                new PoolConfig.Workspace(folder, null, "Ubuntu", PoolConfig.Scope.FOLDER),
                null,
                OnAPool.size(3, 3, Duration.ofSeconds(10), Duration.ofMinutes(5)),
                new PoolConfig.Limits(null, null, 256 << 20));
    }
}
