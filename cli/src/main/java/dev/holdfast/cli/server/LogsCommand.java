package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.StateFolder;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Shows the log of a broker in the background. */
public final class LogsCommand implements Command.Action {
    private static final long USUAL = 50;

    /** More than anybody reads at once. */
    private static final int MAX_BYTES = 1 << 20;

    private static final long PAUSE_MILLIS = 300;

    /** How far apart a background broker's ready message and its recorded start time may be. */
    private static final Duration STARTING = Duration.ofSeconds(5);

    public static final Command DEFINITION = Command.define(
                    "logs", "Show the log of a broker that runs in the background.")
            .description("A broker that you start in a terminal prints there instead.")
            .options(
                    Option.of("-n", "N", "The last N lines (default 50)."),
                    Option.flag("--follow", "Keep showing what it writes; stop with Ctrl-C."))
            .examples("holdfast logs", "holdfast logs -n 200 --follow")
            .runs(new LogsCommand());

    @Override
    public boolean asksTheBroker() {
        return false;
    }

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments given = invocation.arguments();
        long lines = Objects.requireNonNullElse(given.number("-n"), USUAL);
        Path file = StateFolder.of(invocation.shell()).resolve("serve.log");
        if (!Files.isRegularFile(file)) {
            throw Failure.notFound("no broker has run in the background yet: there is no " + file);
        }
        PrintStream out = invocation.shell().out();
        warnIfFromEarlierBroker(invocation, file);
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            log.seek(Math.max(0, log.length() - MAX_BYTES));
            List<String> all = rest(log).lines().toList();
            all.subList((int) Math.max(0, all.size() - Math.max(0, lines)), all.size())
                    .forEach(line -> out.println(Printable.line(line)));
            while (given.has("--follow") && !out.checkError()) {
                Thread.sleep(PAUSE_MILLIS);
                if (log.length() < log.getFilePointer()) {
                    log.seek(0); // the log was truncated
                }
                rest(log).lines().forEach(line -> out.println(Printable.line(line)));
            }
            return ExitCode.DONE;
        } catch (IOException e) {
            throw Failure.failed("cannot read " + file + ": " + IoReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.DONE;
        }
    }

    /** The running broker may have been started in a terminal and write there. */
    private static void warnIfFromEarlierBroker(Invocation invocation, Path log) {
        ServedBroker.at(invocation.shell(), invocation.broker().http().address())
                .filter(broker -> broker.process().isPresent())
                .map(broker -> JsonText.instant(broker.record(), "since"))
                .filter(since -> lastWritten(log).isBefore(since.minus(STARTING)))
                .ifPresent(since -> invocation
                        .shell()
                        .err()
                        .println("holdfast: these lines are from an earlier broker; the one running since "
                                + JsonText.time(since.toString()) + " writes to the terminal it was started in"));
    }

    private static Instant lastWritten(Path log) {
        try {
            return Files.getLastModifiedTime(log).toInstant();
        } catch (IOException unknown) {
            return Instant.MAX;
        }
    }

    private static String rest(RandomAccessFile log) throws IOException {
        byte[] bytes = new byte[(int) Math.min(MAX_BYTES, log.length() - log.getFilePointer())];
        log.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
