package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.terminal.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Screens hold on narrow terminals, with long ids, wide characters and such that join the one before. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScreensTest {
    private static final String LONG = "an-imported-identifier-that-is-long-2026-0001";
    private static final String WIDE = "修复解析器在处理超长的输入行时崩溃的问题 and nai\u0308ve cafe\u0301 names 🚀 in one row";

    private final Broker broker;
    private final Path folder;
    private final String task;

    ScreensTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        broker = Broker.start(Config.in(folder.resolve("data")));
        done("work", "create", WIDE, "--id", LONG, "--queue", "shop");
        done("work", "create", WIDE + " too", "--queue", "shop", "--after", LONG);
        done("claim", LONG);
        done("work", "reserve", "src/解析器/**", "docs/**/*.md", "--queue", "shop");
        done(
                "session",
                "start",
                "s",
                "--branch",
                "feature/a-branch-with-a-name-that-goes-on",
                "--host",
                "a-long-host-name");
        done("review", "create", WIDE, "--description", "x", "--project", "shop");
        Path plan = Files.writeString(
                folder.resolve("plan.json"),
                "{\"name\": \"" + WIDE
                        + "\", \"steps\": [{\"key\": \"a\"}, {\"key\": \"b\", \"depends_on\": [\"a\"]}]}");
        task = done("task", "create", "-f", plan.toString()).out().split(" ", 2)[0];
        done("task", "next");
        done("task", "cancel", task, "--reason", WIDE);
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private Map<String, String> environment() {
        return Map.of(
                "HOLDFAST_URL",
                broker.url(),
                "HOLDFAST_AGENT",
                "claude-3fa91c0b7d2e",
                "NO_COLOR",
                "1",
                "XDG_STATE_HOME",
                folder.resolve("state").toString());
    }

    private Ran done(String... words) {
        Ran ran = Ran.command(environment(), words);
        assertThat(ran.exitCode()).as(String.join(" ", words) + ran.err()).isZero();
        return ran;
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 110, 120})
    void every_row_stays_one_row(int width) {
        for (String command : List.of(
                "work list",
                "work blocked",
                "who",
                "review list",
                "review feed",
                "session list",
                "task list",
                "task watch " + task)) {
            Ran ran = Ran.onTerminal(width, environment(), command.split(" "));
            assertThat(ran.out().lines())
                    .as(command + " at " + width)
                    .isNotEmpty()
                    .allSatisfy(
                            line -> assertThat(Printable.shortened(line, width)).isEqualTo(line));
        }
        assertThat(Ran.onTerminal(width, environment(), "who").out()).contains("src/", "[2] 修");
        assertThat(Ran.onTerminal(width, environment(), "work", "list").out()).contains("修", "in_progress");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void what_people_wrote_is_broken_at_spaces_and_whole(int width) {
        String prose =
                "Please rename it: the parser is used in eleven other places, which nobody could find by such a name.";
        String id = String.valueOf(done("review", "create", prose, "--description", prose, "--json")
                .json()
                .text("id"));
        asBob(width, "review", "claim", id);
        asBob(width, "review", "verdict", id, "comment", "--reason", prose);
        String item =
                done("work", "create", prose, "--description", prose).out().strip();
        for (String command : List.of(
                "review show " + id,
                "task show " + task,
                "work show " + item,
                "events -n 20",
                "help",
                "help review verdict",
                "help gate")) {
            assertThat(Ran.onTerminal(width, environment(), command.split(" "))
                            .out()
                            .lines())
                    .as(command + " at " + width)
                    .isNotEmpty()
                    .allSatisfy(
                            line -> assertThat(Printable.shortened(line, width)).isEqualTo(line));
        }
        String shown =
                Ran.onTerminal(width, environment(), "review", "show", id).out();
        assertThat(shown).startsWith("review " + id.substring(0, 8) + "  ");
        assertThat(shown.replaceAll("\\s+", " ").split(prose, -1)).as(shown).hasSize(4);
        assertThat(Ran.command(environment(), "review", "show", id).out())
                .startsWith("review " + id)
                .contains("\n  " + prose + "\n");
    }

    private void asBob(int width, String... words) {
        Map<String, String> bob = new HashMap<>(environment());
        bob.put("HOLDFAST_AGENT", "bob");
        Ran ran = Ran.onTerminal(width, bob, words);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void status_keeps_its_lists_to_one_line_each(int width) {
        String status = Ran.onTerminal(width, environment(), "status").out();
        assertThat(status.lines().filter(line -> line.startsWith("  ")))
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(Printable.shortened(line, width)).isEqualTo(line));
        assertThat(status).contains("  reservation:").contains("  work:" + LONG);
    }
}
