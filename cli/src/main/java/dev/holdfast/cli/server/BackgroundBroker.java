package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.PrivateFiles;
import dev.holdfast.cli.broker.StateFolder;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.http.Address;
import dev.holdfast.cli.http.HttpClient;
import dev.holdfast.cli.http.HttpFailure;
import dev.holdfast.cli.terminal.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts a broker that outlives this process, if none answers. Others wait for it instead of starting another; if two
 * are started anyway, the port and the data folder's lock let only one survive.
 *
 * <p>It runs in the user's home with the user's own settings: nobody has asked for a broker for the client's folder,
 * which may be a stranger's repository.
 */
public final class BackgroundBroker {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** The launcher may have to build first. */
    private static final Duration START = Duration.ofMinutes(3);

    private static final long PAUSE_MILLIS = 50;

    /** In its own session, so that neither Ctrl-C nor the client's end stops it. */
    private static final String DETACHED = """
            if command -v setsid >/dev/null; then exec setsid "$0" "$@"; else exec nohup "$0" "$@"; fi""";

    private final HttpClient http;
    private final Shell shell;

    public BackgroundBroker(HttpClient http, Shell shell) {
        this.http = http;
        this.shell = shell;
    }

    /** One thread at a time: a process cannot wait for its own lock. */
    public synchronized void ensureRunning() {
        if (answers()) {
            return;
        }
        String launcher = System.getProperty("holdfast.launcher");
        if (launcher == null) {
            throw Failure.invalid("--start only works through the launcher: run 'holdfast mcp --start'");
        }
        Address address = http.address();
        if (!address.isLoopback()) {
            throw Failure.invalid("--start can only start a broker on this machine, not at " + address);
        }
        try {
            Path folder = PrivateFiles.folder(StateFolder.of(shell));
            try (FileChannel channel = FileChannel.open(
                            PrivateFiles.file(folder.resolve("start.lock")), StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                if (!answers()) {
                    start(launcher, address, PrivateFiles.file(folder.resolve("serve.log")));
                }
            }
        } catch (IOException e) {
            throw Failure.failed("cannot start a broker: " + IoReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted", e);
        }
    }

    private void start(String launcher, Address address, Path log) throws IOException, InterruptedException {
        shell.err().println("holdfast: starting a broker at " + address + "; its output goes to " + log);
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Program.required(shell, "sh"),
                        "-c",
                        DETACHED,
                        launcher,
                        "serve",
                        "--host",
                        address.host(),
                        "--port",
                        "" + address.port(),
                        "--background"))
                .directory(home().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        Process process = builder.start();
        long deadline = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (process.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS) && !answers()) {
                throw Failure.failed("the broker did not start: " + lastLine(log) + " (full log: " + log + ")", null);
            }
            if (System.nanoTime() > deadline) {
                throw Failure.failed("the broker was not ready after " + START.toSeconds() + " s; see " + log, null);
            }
        }
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return lines.isEmpty() ? "it printed nothing" : lines.getLast();
    }

    private boolean answers() {
        try {
            return http.get("/readyz", PATIENCE).status() == 200;
        } catch (HttpFailure e) {
            return false;
        }
    }

    private Path home() {
        Path home = shell.home().toAbsolutePath();
        return Files.isDirectory(home) ? home : home.getRoot();
    }
}
