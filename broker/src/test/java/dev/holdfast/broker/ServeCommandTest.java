package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.LoopbackAccess;
import dev.holdfast.broker.crash.BrokerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process: what it prints and how it ends. */
class ServeCommandTest {
    private static final Path SETTINGS = Path.of("/home/ann/.config/holdfast/config.json");

    @TempDir
    Path folder;

    @Test
    void it_says_one_line_when_it_answers_and_ends_well_when_told_to_stop() throws Exception {
        Process process = serve("--port", "0", "--data", folder.resolve("data").toString());
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        try {
            assertThat(out.readLine())
                    .matches("holdfast is ready on http://127\\.0\\.0\\.1:\\d+ \\(SQLite in .*/data\\)");
            process.toHandle().destroy(); // the handle leaves the streams open
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(out.readLine()).isNull();
            assertThat(errors())
                    .containsExactly(
                            "holdfast: the reviewer pool is off, so reviews wait for people and other agents; reviewers that need"
                                    + " no model run with: holdfast serve --reviewers rules");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void it_leaves_nothing_in_the_folder_for_temporary_files() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Process process = serve(
                List.of("-Djava.io.tmpdir=" + temporary),
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString());
        try {
            assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).startsWith("holdfast is ready");
            assertThat(temporary).isNotEmptyDirectory();
            assertThat(temporary.toFile().listFiles())
                    .allSatisfy(one -> assertThat(one).isDirectory());
            process.toHandle().destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(temporary).isEmptyDirectory();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void a_folder_or_port_that_another_broker_has_is_told_without_a_stack_trace() throws Exception {
        Path data = folder.resolve("data");
        try (Broker broker = Broker.start(Config.in(data))) {
            assertThat(ended(serve("--port", "0", "--data", data.toString()))).isEqualTo(1);
            assertThat(errors()).singleElement().asString().contains("another broker is using " + data, "--data");

            String port = broker.url().substring(broker.url().lastIndexOf(':') + 1);
            assertThat(ended(serve(
                            "--port", port, "--data", folder.resolve("other").toString())))
                    .isEqualTo(1);
            assertThat(errors()).singleElement().asString().contains("127.0.0.1:" + port + " is in use", "--port");
        }
    }

    @Test
    void it_warns_when_other_people_have_accounts_and_no_token_is_asked_for() {
        assertThat(ServeCommand.warningOf(List.of("bob"), LoopbackAccess.OPEN, SETTINGS))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("(bob)", "set server.loopback to token in " + SETTINGS));
        assertThat(ServeCommand.warningOf(List.of("b", "c", "d", "e"), LoopbackAccess.OPEN, SETTINGS))
                .hasValueSatisfying(text -> assertThat(text).contains("(b, c, d, ...)"));
        assertThat(ServeCommand.warningOf(List.of("bob"), LoopbackAccess.TOKEN, SETTINGS))
                .isEmpty();
        assertThat(ServeCommand.warningOf(List.of(), LoopbackAccess.OPEN, SETTINGS))
                .isEmpty();
    }

    @Test
    void what_the_user_got_wrong_ends_with_two() throws Exception {
        assertThat(ended(serve("--prot", "1"))).isEqualTo(2);
        assertThat(errors()).first().asString().contains("did you mean --port?");

        Path config = Files.writeString(folder.resolve("c.json"), "{\"server\": {\"port\": -1}, \"leases\": 1}");
        assertThat(ended(serve("--config", config.toString()))).isEqualTo(2);
        assertThat(errors()).hasSize(3).first().isEqualTo("holdfast: uses " + config);
    }

    @Test
    void typed_in_a_strangers_folder_it_says_what_it_left_out() throws Exception {
        Path file = Files.createDirectory(folder.resolve(".holdfast")).resolve("config.json");
        Files.writeString(file, "{\"reviewer_pool\": {\"engine\": \"command\", \"command\": [\"sh\"]}}");
        Process process = serve("--port", "0", "--data", folder.resolve("data").toString());
        try {
            assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).startsWith("holdfast is ready");
            assertThat(errors())
                    .containsExactly(
                            "holdfast: uses " + file.toRealPath()
                                    + " without reviewer_pool.engine, reviewer_pool.command, because you have not"
                                    + " trusted it; to see these settings and trust them: holdfast trust "
                                    + file.toRealPath(),
                            "holdfast: the reviewer pool is off: reviewer_pool in " + file.toRealPath()
                                    + " takes effect only once you trust it");
        } finally {
            process.destroyForcibly();
        }
        Files.writeString(file, "{\"\\u001b[2Jserver\": {}}");
        assertThat(ended(serve("--data", "/dev/null/none"))).isEqualTo(1);
        assertThat(errors()).first().asString().contains("\\u001b[2Jserver: no such section");
        assertThat(String.join("", errors())).doesNotContain("\u001b");
    }

    @Test
    void other_machines_are_not_let_in_without_tokens() throws Exception {
        assertThat(ended(serve(
                        "--host", "0.0.0.0", "--data", folder.resolve("data").toString())))
                .isEqualTo(1);
        assertThat(errors()).singleElement().asString().contains("will not listen on 0.0.0.0", "requires a token");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void a_file_that_is_no_database_is_told_in_one_line() throws Exception {
        Files.writeString(
                folder.resolve("holdfast.db"), "this is no database, but long enough to be taken for one".repeat(20));
        assertThat(ended(serve("--port", "0", "--data", folder.toString()))).isEqualTo(1);
        assertThat(errors()).singleElement().asString().startsWith("holdfast: ").contains("not a database");
        assertThat(ended(serve("--port", "0", "--database", "postgres://127.0.0.1:1/holdfast")))
                .as("a wrong setting")
                .isEqualTo(2);
        assertThat(errors())
                .singleElement()
                .asString()
                .contains("cannot use PostgreSQL at postgres://127.0.0.1:1/holdfast: nothing answers there")
                .doesNotContain("jdbc", "postmaster");
    }

    private Process serve(String... arguments) throws IOException {
        return serve(List.of(), arguments);
    }

    private Process serve(List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(BrokerProcess.java());
        command.addAll(options);
        command.add(ServeCommand.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("BROKER_"));
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        return builder.start();
    }

    private static int ended(Process process) throws InterruptedException {
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Without what is said only on machines that several people use. */
    private List<String> errors() throws IOException {
        return Files.readAllLines(folder.resolve("errors")).stream()
                .filter(line -> !line.contains("have accounts on this machine"))
                .toList();
    }
}
