package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.testing.TestSqlite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FollowingTest {
    /** A broker that starts for the first time in a JVM on a busy machine takes a while. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final ByteArrayOutputStream notices = new ByteArrayOutputStream();

    @Test
    void following_goes_on_over_a_restart_of_the_broker_without_a_gap_and_without_repeats() {
        Reader reader = new Reader();
        Broker first = Broker.start(Config.in(TestSqlite.in(folder)));
        String url = first.url();
        CompletableFuture<ExitCode> following =
                follow(reader, url, "events", "--follow", "--after", "0", "--resource", "key:a");
        claim(url, "key:a");
        claim(url, "key:other");
        await().atMost(PATIENCE).until(() -> reader.text().contains("claimed  key:a"));
        first.close();

        Settings sameAddress = new Settings()
                .put(Setting.DATA, TestSqlite.in(folder).toString())
                .put(Setting.PORT, (long) URI.create(url).getPort());
        try (Broker second = Broker.start(Config.of(sameAddress))) {
            assertThat(second.url()).isEqualTo(url);
            Ran.command(Map.of("HOLDFAST_URL", url), "release", "key:a", "--generation", "1", "--holder", "alice");
            await().atMost(PATIENCE).until(() -> reader.text().contains("released  key:a"));
            assertThat(reader.text().lines()).hasSize(2);
            assertThat(notices.toString(StandardCharsets.UTF_8))
                    .isEqualTo(
                            "holdfast: lost the broker; waiting for it to come back\nholdfast: the broker is back\n");

            reader.goAway();
            claim(url, "key:a");
            assertThat(following.join()).isEqualTo(ExitCode.DONE);
        }
    }

    @Test
    void following_from_now_on_shows_only_what_comes() {
        try (Broker broker = Broker.start(Config.in(TestSqlite.in(folder)))) {
            claim(broker.url(), "key:before");
            Reader reader = new Reader();
            CompletableFuture<ExitCode> following = follow(reader, broker.url(), "events", "--follow", "--json");
            await().atMost(PATIENCE).until(() -> {
                claim(broker.url(), "key:x" + System.nanoTime());
                return !reader.text().isEmpty();
            });

            assertThat(reader.text()).contains("\"type\":\"claimed\"").doesNotContain("key:before");
            reader.goAway();
            claim(broker.url(), "key:last");
            assertThat(following.join()).isEqualTo(ExitCode.DONE);
        }
    }

    private static void claim(String url, String resource) {
        assertThat(Ran.command(Map.of("HOLDFAST_URL", url), "claim", resource, "--holder", "alice")
                        .exitCode())
                .isZero();
    }

    private CompletableFuture<ExitCode> follow(Reader reader, String url, String... words) {
        Shell shell = new Shell(
                Map.of("HOLDFAST_URL", url),
                InputStream.nullInputStream(),
                new PrintStream(reader, true, StandardCharsets.UTF_8),
                new PrintStream(notices, true, StandardCharsets.UTF_8),
                () -> 0,
                InstantSource.system(),
                Path.of("/"));
        return CompletableFuture.supplyAsync(() -> Main.run(shell, List.of(words)));
    }

    /** The other end of a pipe. */
    private static final class Reader extends OutputStream {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private boolean gone;

        @Override
        public synchronized void write(int b) throws IOException {
            if (gone) {
                throw new IOException("Broken pipe");
            }
            read.write(b);
        }

        synchronized String text() {
            return read.toString(StandardCharsets.UTF_8);
        }

        synchronized void goAway() {
            gone = true;
        }
    }
}
