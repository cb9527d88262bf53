package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.pool.engine.Claude;
import dev.holdfast.broker.pool.engine.Codex;
import dev.holdfast.broker.pool.engine.Command;
import dev.holdfast.broker.pool.engine.Launch;
import dev.holdfast.broker.pool.engine.LaunchSpec;
import dev.holdfast.broker.pool.engine.Platform;
import dev.holdfast.broker.pool.engine.ReviewerEngine;
import dev.holdfast.broker.pool.engine.RuleReviewers;
import dev.holdfast.broker.pool.engine.UnusableLaunchException;
import dev.holdfast.broker.pool.engine.Wsl;
import dev.holdfast.git.SearchPath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every program that the pool starts, in a workspace that has programs of the same names, along a PATH that leads there. Honest
 * stand-ins write down how they were started.
 */
class HostileWorkspaceTest {
    private static final List<String> PROGRAMS =
            List.of("codex", "claude", "reviewer", "wsl", "setsid", "git", "java", "sh", "find", "grep", "kill");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path workspace;

    @SuppressWarnings("NullAway.Init")
    private Path honest;

    @SuppressWarnings("NullAway.Init")
    private Map<String, String> broker;

    @BeforeEach
    void plant() throws IOException {
        workspace = folder.resolve("workspace");
        Files.createDirectories(workspace.resolve("bin"));
        honest = Files.createDirectory(folder.resolve("honest"));
        for (String program : PROGRAMS) {
            executable(workspace.resolve(program), "touch '" + folder + "/sprung-" + program + "'");
            executable(workspace.resolve("bin/" + program), "touch '" + folder + "/sprung-" + program + "'");
        }
        for (String program : List.of("codex", "claude", "reviewer", "wsl")) {
            executable(honest.resolve(program), "pwd; env; for word; do echo \"word: $word\"; done");
        }
        broker = new HashMap<>(Map.of(
                "PATH",
                ".:bin::./bin:" + honest + ":/usr/bin:/bin",
                "HOME",
                folder.toString(),
                "GIT_DIR",
                workspace.toString(),
                "GIT_EXTERNAL_DIFF",
                "touch " + folder.resolve("sprung-diff"),
                "NODE_OPTIONS",
                "--require ./evil.js",
                "BASH_ENV",
                "./evil.sh",
                "ENV",
                "./evil.sh"));
    }

    private ReviewerEngine engine(String program) {
        return switch (program) {
            case "codex" -> new Codex("codex", Map.of(), Set.of(), new Platform.Native());
            case "claude" -> new Claude("claude", Set.of());
            case "wsl" ->
                new Codex(
                        "codex", Map.of(), Set.of(), new Wsl("Ubuntu", workspace, "/mnt/work", (_, folder) -> folder));
            default -> new Command(List.of(program, "{workspace}"), Set.of());
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "claude", "reviewer", "wsl"})
    void the_program_is_the_users_and_not_the_workspaces(String program) throws Exception {
        assertThat(new ProcessBuilder("/bin/sh", "-c", "PATH=" + broker.get("PATH") + "; " + program)
                        .directory(workspace.toFile())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(Files.deleteIfExists(folder.resolve("sprung-" + program)))
                .as("a plain shell takes the planted one")
                .isTrue();

        List<String> said = run(engine(program));

        assertThat(sprung()).isEmpty();
        assertThat(said)
                .contains(workspace.toString(), "PATH=" + honest + ":/usr/bin:/bin")
                .noneMatch(line -> line.startsWith("GIT_EXTERNAL_DIFF=")
                        || line.startsWith("NODE_OPTIONS=")
                        || line.startsWith("BASH_ENV=")
                        || line.startsWith("GIT_DIR=" + workspace));
    }

    /** Codex asks git for the state of its workspace, outside of its sandbox, and git would run the filters of the repository. */
    @Test
    void codex_and_claude_find_no_repository_in_their_workspace() throws Exception {
        for (ReviewerEngine engine : List.of(
                new Codex("codex", Map.of(), Set.of(), new Platform.Native()), new Claude("claude", Set.of()))) {
            assertThat(run(engine)).contains("GIT_DIR=/dev/null");
        }
    }

    @Test
    void the_rules_are_run_by_the_brokers_own_java() throws Exception {
        Launch launch = new RuleReviewers(Set.of()).launch(spec());
        assertThat(Path.of(launch.argv().getFirst())).isAbsolute();
        assertThat(run(new RuleReviewers(Set.of()))).isNotEmpty();
        assertThat(sprung()).isEmpty();
    }

    @Test
    void what_runs_inside_wsl_is_looked_for_by_the_users_wsl() throws Exception {
        executable(honest.resolve("wsl"), "shift 3; PATH=/usr/bin:/bin; exec \"$@\"");
        InsideWsl inside = new InsideWsl(
                new Wsl("Ubuntu", null, null, (_, folder) -> folder)::argv, new SearchPath(".:bin:" + honest));
        assertThat(inside.end("nobody-r1-00000000", Duration.ofSeconds(1))).isTrue();
        assertThat(new InsideWsl(new Wsl("Ubuntu", null, null, (_, folder) -> folder)::argv, new SearchPath(".:bin"))
                        .end("nobody-r1-00000000", Duration.ofSeconds(1)))
                .as("there is no other")
                .isFalse();
        assertThat(sprung()).isEmpty();
    }

    @Test
    void a_program_that_would_be_looked_for_in_the_workspace_is_refused() {
        for (String relative : List.of("./codex", "bin/codex", "../codex")) {
            assertThatThrownBy(() -> engine("codex", relative, List.of()))
                    .isInstanceOf(UnusableLaunchException.class)
                    .hasMessageContaining("program: " + relative)
                    .hasMessageContaining("full path");
            assertThatThrownBy(() -> engine("command", null, List.of(relative, "x")))
                    .isInstanceOf(UnusableLaunchException.class)
                    .hasMessageContaining("command: " + relative);
        }
        assertThat(engine("codex", "/opt/codex", List.of())).isNotNull();
        assertThat(engine("command", null, List.of("reviewer", "./x"))).isNotNull();
    }

    private static ReviewerEngine engine(String name, @Nullable String program, List<String> command) {
        return Engines.of(
                new PoolConfig(
                        new PoolConfig.Engine(name, program, command, Set.of(), Set.of()),
                        new PoolConfig.Model("gpt-5.3-codex", "high", Map.of()),
                        new PoolConfig.Workspace(Path.of("/"), null, "Ubuntu", PoolConfig.Scope.FOLDER),
                        null,
                        OnAPool.size(1, 1, Duration.ofMillis(1), Duration.ofMinutes(5)),
                        new PoolConfig.Limits(null, null, 256 << 20)),
                new Platform.Native());
    }

    private List<String> run(ReviewerEngine engine) throws Exception {
        String id = "r1-" + UUID.randomUUID();
        Path logs = Files.createDirectories(folder.resolve("logs"));
        ReviewerLog log = new ReviewerLog(logs, id, "0a1b2c3d", Clock.systemUTC(), ReviewerLog.FULL);
        ReviewerProcess process = ReviewerProcess.start(id, engine.launch(spec()), broker, RemoteTermination.HERE, log);
        process.exit().get(60, TimeUnit.SECONDS);
        process.end(Duration.ZERO);
        return ReviewerLog.read(logs, id, 0, 100_000).stream()
                .map(record -> record.path("message").asString(""))
                .toList();
    }

    private LaunchSpec spec() {
        return new LaunchSpec(
                "codex-r1-0a1b2c3d",
                "codex-r1",
                null,
                URI.create("http://127.0.0.1:1/mcp"),
                "token",
                workspace,
                "gpt-5.3-codex",
                "high",
                "Review.");
    }

    private List<String> sprung() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("sprung"))
                    .toList();
        }
    }

    private static void executable(Path file, String command) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
