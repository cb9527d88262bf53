package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.engine.Launch;
import dev.holdfast.git.SearchPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the processes that a reviewer runs inside WSL. Windows sees only the {@code wsl} program in front of them and
 * does not pass its termination on. So this class looks for them inside, by the reviewer's mark and with programs that
 * every distribution has, and signals each of them there.
 *
 * <p>{@code wsl --terminate} would be simpler, but it ends everything in the distribution, including other reviewers
 * and whatever the user is running there.
 */
record InsideWsl(UnaryOperator<List<String>> inside, SearchPath path) implements RemoteTermination {
    private static final Logger LOG = LoggerFactory.getLogger(InsideWsl.class);
    private static final Pattern FOUND = Pattern.compile("/proc/(\\d+)/environ");
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration KILLED = Duration.ofSeconds(5);
    /** Timeout for one program inside; WSL itself may have to start first. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Override
    public boolean end(String reviewer, Duration grace) {
        try {
            return (grace.isPositive() && ended(reviewer, "-TERM", grace, false))
                    || ended(reviewer, "-KILL", KILLED, true);
        } catch (IOException e) {
            LOG.warn("cannot look for {} inside WSL: {}", reviewer, e.getMessage());
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** @param again whether to signal processes started in the meantime too */
    private boolean ended(String reviewer, String signal, Duration patience, boolean again)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean signalled = false;
        while (true) {
            List<String> left = members(reviewer);
            if (left.isEmpty()) {
                return true;
            }
            if (!signalled || again) {
                List<String> kill = new ArrayList<>(List.of("kill", signal));
                kill.addAll(left);
                run(kill);
                signalled = true;
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(LOOK);
        }
    }

    /** Their process ids inside WSL. */
    private List<String> members(String reviewer) throws IOException, InterruptedException {
        Matcher found = FOUND.matcher(run(List.of(
                "find",
                "/proc",
                "-maxdepth",
                "2",
                "-path",
                "/proc/[0-9]*/environ",
                "-exec",
                "grep",
                "-qzxF",
                Launch.MARK + "=" + reviewer,
                "{}",
                ";",
                "-print")));
        return found.results().map(one -> one.group(1)).toList();
    }

    /**
     * Returns the command's stdout. Its stderr is discarded: it complains about processes that have ended in the
     * meantime.
     */
    private String run(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(inside.apply(words));
        command.set(0, path.program(command.getFirst()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.getOutputStream().close();
            // the output is short enough for the pipe, so the program never blocks on us
            if (!process.waitFor(ANSWER.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(words.getFirst() + " did not answer within " + ANSWER.toSeconds() + " s");
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }
}
