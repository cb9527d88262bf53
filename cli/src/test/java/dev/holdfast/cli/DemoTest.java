package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast demo} as people start it: a process of its own, which starts a real broker with real reviewers. */
@Timeout(300)
class DemoTest {
    private static final Pattern KEPT = Pattern.compile("is still running at (http://\\S+) \\(process (\\d+)\\)");
    private static final Pattern STARTED = Pattern.compile("starts rules-r\\d+, process (\\d+)");

    @TempDir
    Path folder;

    private Path temporary;
    private Path launcher;

    @BeforeEach
    void prepare() throws IOException {
        temporary = Files.createDirectory(folder.resolve("tmp"));
        String[] options = {"-Djava.io.tmpdir=" + temporary, "\"-Dholdfast.launcher=$0\""};
        launcher = Files.writeString(folder.resolve("holdfast"), """
                #!/bin/sh
                if [ "$1" = serve ]; then shift; exec %s "$@"; fi
                exec %s "$@"
                """.formatted(
                        Programs.inShell(Programs.broker(options)), Programs.inShell(Programs.commandLine(options))));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void tells_the_whole_loop_and_leaves_nothing_behind() throws Exception {
        Process demo = start("demo");
        String output = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(demo.waitFor()).as(output).isZero();
        assertThat(output)
                .containsSubsequence(
                        "stops it",
                        "is pending",
                        "starts rules-r1",
                        "changes_requested",
                        "lamp.json:1  syntax",
                        "lamp.py:6  debugging",
                        "round 2, is pending",
                        "approved",
                        "stops it",
                        "lets it through",
                        "is refused",
                        "generation 2",
                        "is refused",
                        "closed",
                        "one may",
                        "complete",
                        "Try next")
                .doesNotContain("\u001b");
        assertNothingIsLeft(output);
    }

    @Test
    void being_stopped_in_the_middle_it_cleans_up_too() throws Exception {
        Process demo = start("demo");
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines = demo.inputReader()) {
            while (!STARTED.matcher(output).find()) {
                output.append(lines.readLine()).append('\n');
            }
            demo.toHandle().destroy(); // SIGINT does the same, but not where whoever runs the tests has it ignored
            lines.lines().forEach(line -> output.append(line).append('\n'));
        }

        assertThat(demo.waitFor()).isNotZero();
        assertThat(output).doesNotContain("Try next");
        assertNothingIsLeft(output.toString());
    }

    @Test
    void what_is_kept_goes_on() throws Exception {
        Process demo = start("demo", "--keep");
        String output = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(demo.waitFor()).as(output).isZero();

        Matcher kept = KEPT.matcher(output);
        assertThat(kept.find()).as(output).isTrue();
        ProcessHandle broker = ProcessHandle.of(Long.parseLong(kept.group(2))).orElseThrow();
        try {
            assertThat(Ran.command(Map.of("HOLDFAST_URL", kept.group(1)), "review", "list")
                            .out())
                    .contains("Let the lamp blink", "Say who keeps it");
            assertThat(contents()).hasSize(1);
        } finally {
            broker.destroy();
            await().atMost(Duration.ofSeconds(20)).until(() -> !broker.isAlive());
        }
    }

    private Process start(String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of(launcher.toString()), Stream.of(words))
                        .toList())
                .redirectErrorStream(true);
        // A setting of whoever runs the tests must not reach the demo.
        builder.environment().putAll(Map.of("HOLDFAST_URL", "http://127.0.0.1:1", "HOLDFAST_CONFIG", "/nowhere"));
        return builder.start();
    }

    private void assertNothingIsLeft(String output) throws IOException {
        List<Long> reviewers = STARTED.matcher(output)
                .results()
                .map(found -> Long.parseLong(found.group(1)))
                .toList();
        assertThat(reviewers)
                .isNotEmpty()
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
        assertThat(contents()).isEmpty();
    }

    private List<Path> contents() throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(one -> one.getFileName().toString().startsWith("holdfast-demo"))
                    .toList();
        }
    }
}
