package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.terminal.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void status_keeps_its_lists_to_one_line_each(int width) {
        String status = Ran.onTerminal(width, environment(), "status").out();
        assertThat(status.lines().filter(line -> line.startsWith("  ")))
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(Printable.shortened(line, width)).isEqualTo(line));
        assertThat(status).contains("  reservation:").contains("  work:" + LONG);
    }
}
