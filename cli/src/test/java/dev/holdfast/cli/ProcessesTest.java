package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line as processes of its own, as scripts see it. */
@Timeout(120)
class ProcessesTest {
    @TempDir
    Path folder;

    @Test
    void of_four_processes_that_claim_at_once_one_gets_it_and_three_exit_with_3() throws Exception {
        try (Broker broker = Broker.start(Config.in(TestSqlite.in(folder)))) {
            List<Process> processes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                processes.add(
                        start(broker.url(), "C.UTF-8", "claim", "key:race-é", "--holder", "agent-" + i, "--json"));
            }
            List<Integer> exitCodes = new ArrayList<>();
            List<JsonObject> answers = new ArrayList<>();
            for (Process process : processes) {
                answers.add(JsonObject.of(Json.read(output(process))));
                exitCodes.add(process.waitFor());
            }

            assertThat(exitCodes).containsExactlyInAnyOrder(0, 3, 3, 3);
            assertThat(answers)
                    .extracting(answer -> answer.text("holder"))
                    .containsOnly(answers.getFirst().text("holder"));
            assertThat(answers).extracting(answer -> answer.text("resource")).containsOnly("key:race-é");
        }
    }

    @Test
    void nothing_is_claimed_under_a_name_that_the_locale_garbled() throws Exception {
        try (Broker broker = Broker.start(Config.in(TestSqlite.in(folder)))) {
            Process process = start(broker.url(), "C", "claim", "key:é", "--holder", "a", "--json");

            assertThat(output(process)).contains("LC_ALL=C.UTF-8");
            assertThat(process.waitFor()).isEqualTo(2);
        }
    }

    @Test
    void answers_are_utf_8_whatever_the_locale() throws Exception {
        try (Broker broker = Broker.start(Config.in(TestSqlite.in(folder)))) {
            assertThat(start(broker.url(), "C.UTF-8", "claim", "key:日本", "--holder", "a")
                            .waitFor())
                    .isZero();

            assertThat(output(start(broker.url(), "C", "who"))).contains("key:日本");
            assertThat(output(start(broker.url(), "C", "who", "--json"))).contains("key:日本");
        }
    }

    @Test
    void a_session_is_ended_from_any_terminal_of_its_user_and_by_nobody_else() throws Exception {
        try (Broker broker = Broker.start(Config.in(TestSqlite.in(folder.resolve("data"))))) {
            Path state = folder.resolve("ann");
            assertThat(session(broker.url(), state, "start", "monday", "--name", "ann"))
                    .isZero();
            assertThat(session(broker.url(), folder.resolve("bob"), "end", "monday"))
                    .isEqualTo(ExitCode.FAILED.number());
            try (Stream<Path> kept = Files.list(state.resolve("holdfast/session-keys"))) {
                assertThat(kept)
                        .singleElement()
                        .satisfies(key -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                                .isEqualTo("rw-------"));
            }
            assertThat(session(broker.url(), state, "end", "monday")).isZero();
            assertThat(state.resolve("holdfast/session-keys")).isEmptyDirectory();
        }
    }

    private static int session(String url, Path state, String... words) throws Exception {
        ProcessBuilder builder = CommandProcess.of(
                url,
                "C.UTF-8",
                Stream.concat(Stream.of("session"), Stream.of(words)).toArray(String[]::new));
        builder.environment().put("XDG_STATE_HOME", state.toString());
        return builder.inheritIO().start().waitFor();
    }

    private static Process start(String url, String locale, String... words) throws IOException {
        return CommandProcess.of(url, locale, words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String output(Process process) throws IOException, InterruptedException {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return text;
    }
}
