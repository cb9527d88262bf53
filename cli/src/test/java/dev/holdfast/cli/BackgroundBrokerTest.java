package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testing.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast mcp --start}, as clients start it: several at once, without a broker. */
@Timeout(180)
class BackgroundBrokerTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

    @TempDir
    Path folder;

    NotingLauncher launcher;
    String url;

    @BeforeEach
    void prepare() throws IOException {
        url = FreePort.url();
        launcher = NotingLauncher.in(Files.createDirectory(folder.resolve("program")));
    }

    @AfterEach
    void endBrokers() throws IOException {
        launcher.close();
    }

    @Test
    void ten_bridges_that_start_at_once_start_one_broker_which_outlives_them() throws Exception {
        List<Process> bridges = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            bridges.add(bridge());
        }
        for (Process bridge : bridges) {
            try (var input = bridge.getOutputStream()) {
                input.write(PING.getBytes(StandardCharsets.UTF_8));
            }
        }

        for (Process bridge : bridges) {
            assertThat(new String(bridge.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
            assertThat(bridge.waitFor()).isZero();
        }
        assertThat(launcher.started()).hasSize(1);
        assertThat(Files.readString(folder.resolve("holdfast/serve.log")))
                .containsOnlyOnce("holdfast is ready on " + url);
        assertThat(Ran.command(Map.of("HOLDFAST_URL", url), "who").exitCode()).isZero();
    }

    @Test
    void what_a_bridge_leaves_on_the_disk_is_closed_to_others_also_where_it_was_not() throws Exception {
        Path state = Files.createDirectory(folder.resolve("holdfast"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path log = Files.writeString(state.resolve("serve.log"), "");
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r--r--"));
        Process bridge = bridge();
        bridge.getOutputStream().close();
        assertThat(bridge.waitFor()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state)))
                .isEqualTo("rwx------");
        for (String file : List.of("serve.log", "start.lock")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.resolve(file))))
                    .as(file)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void a_broker_that_cannot_start_is_told_with_its_reason() throws Exception {
        Files.writeString(launcher.script(), "#!/bin/sh\necho 'holdfast: the disk is full'\nexit 1\n");
        Process bridge = bridge();

        String said = new String(bridge.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bridge.waitFor()).isEqualTo(1);
        assertThat(said).contains("did not start: holdfast: the disk is full", "serve.log");
        assertThat(bridge.getInputStream().readAllBytes()).isEmpty();
    }

    @Test
    void after_a_brokers_death_the_same_store_comes_back_whatever_the_next_bridge_is_told() throws Exception {
        ping(bridge());
        Map<String, String> environment = Map.of("HOLDFAST_URL", url);
        assertThat(Ran.command(environment, "claim", "key:deploy", "--holder", "ann")
                        .exitCode())
                .isZero();
        ProcessHandle first = ProcessHandle.of(launcher.started().getFirst()).orElseThrow();
        first.destroyForcibly();
        await().atMost(Duration.ofSeconds(20)).until(() -> !first.isAlive());

        ping(bridge(folder.resolve("elsewhere")));

        assertThat(launcher.started()).hasSize(2);
        Ran second = Ran.command(environment, "claim", "key:deploy", "--holder", "bob");
        assertThat(second.exitCode()).as(second.out()).isEqualTo(3);
        assertThat(folder.resolve("elsewhere")).doesNotExist();
    }

    private static void ping(Process bridge) throws Exception {
        try (var input = bridge.getOutputStream()) {
            input.write(PING.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new String(bridge.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("\"result\":{}");
        assertThat(bridge.waitFor()).isZero();
    }

    private Process bridge() throws IOException {
        return bridge(folder.resolve("data"));
    }

    private Process bridge(Path data) throws IOException {
        List<String> command = Programs.commandLine("-Dholdfast.launcher=" + launcher.script());
        command.addAll(List.of("mcp", "--start"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment()
                .putAll(Map.of(
                        "HOLDFAST_URL", url,
                        "HOLDFAST_DATA", data.toString(),
                        "XDG_CONFIG_HOME", folder.resolve("config").toString(),
                        "XDG_STATE_HOME", folder.toString()));
        return builder.start();
    }
}
