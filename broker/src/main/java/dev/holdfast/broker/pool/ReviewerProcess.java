package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.engine.Launch;
import dev.holdfast.git.SearchPath;
import dev.holdfast.review.pool.PoolReviewer.Started;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A reviewer's process and everything it starts. Nothing blocks on it: separate threads write its prompt, read its
 * output and report its end immediately.
 */
final class ReviewerProcess {
    /** How long to wait for its last output; a process that it started may keep the pipe open longer. */
    private static final Duration LAST_WORDS = Duration.ofMillis(200);

    private final Process process;
    private final String reviewer;
    private final ProcessTree tree;
    private final RemoteTermination termination;
    private final Started started;
    private final ReviewerLog log;
    private final CompletableFuture<Void> silent;
    private final OutputTail said = new OutputTail();
    private final OutputTail complained = new OutputTail();
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    /**
     * Starts it, in its own session where the system has {@code setsid}.
     *
     * @param broker the broker's own environment; the reviewer gets only the part that the launch names
     * @param termination ends what it runs elsewhere
     * @throws IOException when there is no such program, or it cannot be started
     */
    static ReviewerProcess start(
            String reviewer, Launch launch, Map<String, String> broker, RemoteTermination termination, ReviewerLog log)
            throws IOException {
        ProcessBuilder builder = launch.process(broker);
        builder.environment().put(Launch.MARK, reviewer);
        List<String> command = new ArrayList<>(builder.command());
        Optional<String> setsid = Optional.empty();
        SearchPath path = SearchPath.of(builder.environment());
        command.set(0, path.program(command.getFirst()));
        if (File.separatorChar == '/') {
            setsid = new SearchPath("/usr/bin:/bin:" + path.folders())
                    .find("setsid")
                    .map(Path::toString);
            setsid.ifPresent(command::addFirst);
        }
        return new ReviewerProcess(
                reviewer,
                builder.command(command).start(),
                setsid.isPresent(),
                launch,
                SecretValues.of(builder.environment()),
                termination,
                log);
    }

    private ReviewerProcess(
            String reviewer,
            Process process,
            boolean ownSession,
            Launch launch,
            SecretValues secrets,
            RemoteTermination termination,
            ReviewerLog log) {
        this.reviewer = reviewer;
        this.process = process;
        this.termination = termination;
        this.log = log;
        started = new Started(process.pid(), ProcessTree.started(process.toHandle()));
        tree = new ProcessTree(started, reviewer, ownSession);
        log.event("reviewer_spawned", Map.of("pid", started.pid())); // must precede its output
        silent = CompletableFuture.allOf(
                pump("stdout", process.getInputStream(), secrets, said),
                pump("stderr", process.getErrorStream(), secrets, complained));
        String prompt = launch.stdin();
        thread(reviewer + "-exit", this::awaitExit);
        thread(reviewer + "-prompt", () -> sendPrompt(prompt == null ? "" : prompt));
    }

    private static void thread(String name, Runnable task) {
        // platform threads: each blocks in a system call for as long as the process runs
        Thread.ofPlatform().daemon().name("holdfast-" + name).start(task);
    }

    private CompletableFuture<Void> pump(String stream, InputStream from, SecretValues secrets, OutputTail last) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        OutputPump pump = new OutputPump(from, (text, continued) -> {
            String shown = secrets.hidden(text);
            last.add(shown, continued);
            log.output(stream, shown, continued);
        });
        thread(reviewer + "-" + stream, () -> {
            pump.run();
            end.complete(null);
        });
        return end;
    }

    private void sendPrompt(String prompt) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(prompt.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // it closed its stdin, or has ended
        }
    }

    /** The end of its stdout, followed by the end of its stderr: their relative order is unknown. */
    String lastOutput() {
        return (said + "\n" + complained).strip();
    }

    Started started() {
        return started;
    }

    /** Its exit code, available as soon as the started process has ended; its children may still be running. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    /** Runs on its own thread: Java's exit callbacks use a pool that other code can keep busy. */
    private void awaitExit() {
        try {
            int code = process.waitFor();
            try {
                silent.get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException _) {
                // then they are not its own
            }
            exit.complete(code);
        } catch (InterruptedException e) {
            exit.completeExceptionally(e);
        }
    }

    /** Ends it and everything it has started; returns whether nothing is left. */
    boolean end(Duration grace) {
        boolean beyond = termination.end(reviewer, grace);
        return tree.end(grace) && beyond;
    }
}
