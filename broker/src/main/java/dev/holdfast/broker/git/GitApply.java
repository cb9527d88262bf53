package dev.holdfast.broker.git;

import dev.holdfast.broker.git.Git.Ran;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.FileChange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Asks git whether a diff applies. Never called inside a transaction: git may take its time, up to the timeout.
 *
 * <ol>
 *   <li>Find the top folder of the repository: below it, git would silently leave out the paths that are not.
 *   <li>{@code git apply --check} with the normalised text.
 *   <li>If that fails, the same in reverse: what can be taken back is there already.
 * </ol>
 *
 * Only a few gits run at once. Waiting for a turn counts against the timeout, so that gits that hang make others late by
 * no more than that.
 */
public final class GitApply {
    public static final Duration TIMEOUT = Duration.ofSeconds(20);
    public static final int AT_ONCE = 4;

    private static final int MOST_MESSAGE = 4_000;

    private final Git git;
    private final Duration timeout;
    private final Semaphore turns;

    /**
     * Takes the environment that git gets, mostly {@link System#getenv()}.
     *
     * @param timeout for a check as a whole
     * @param atOnce how many checks may run at the same time
     */
    public GitApply(Map<String, String> environment, Duration timeout, int atOnce) {
        this.git = new Git(environment);
        this.timeout = timeout;
        this.turns = new Semaphore(atOnce, true);
    }

    /** Returns whether the diff applies to the repository that the folder is in. Changes nothing. */
    public ApplyCheck check(Path folder, Diff diff) {
        Optional<String> outside = paths(diff).filter(GitApply::isOutside).findFirst();
        if (outside.isPresent()) {
            return new ApplyCheck.Conflicts(
                    "error: the diff touches " + outside.get() + ", which is outside the repository");
        }
        if (!Files.isDirectory(folder)) {
            return new ApplyCheck.Unavailable("the folder " + folder + " does not exist");
        }
        try {
            return inTurn(folder, diff);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new ApplyCheck.Unavailable("the check was interrupted");
        }
    }

    private ApplyCheck inTurn(Path folder, Diff diff) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        if (!turns.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return new ApplyCheck.Unavailable(
                    "other checks kept git busy for " + timeout.toSeconds() + " s; try again later");
        }
        try {
            return switch (git.run(folder, List.of("rev-parse", "--show-toplevel"), "", deadline)) {
                case Ran.Ended ended
                when ended.exitCode() == 0 -> apply(Path.of(ended.output().stripTrailing()), diff, deadline);
                case Ran.Ended ended ->
                    new ApplyCheck.Unavailable(folder + " is not in a git work tree: " + shortened(ended.errors()));
                case Ran.TimedOut() -> timedOut();
                case Ran.NotStarted(String reason) -> new ApplyCheck.Unavailable(reason);
            };
        } finally {
            turns.release();
        }
    }

    private ApplyCheck apply(Path top, Diff diff, long deadline) throws InterruptedException {
        return switch (git.run(top, arguments(diff, false), diff.normalised(), deadline)) {
            case Ran.Ended ended when ended.exitCode() == 0 -> new ApplyCheck.Applies();
            case Ran.Ended ended -> takenBack(top, diff, ended.errors(), deadline);
            case Ran.TimedOut() -> timedOut();
            case Ran.NotStarted(String reason) -> new ApplyCheck.Unavailable(reason);
        };
    }

    private ApplyCheck takenBack(Path top, Diff diff, String errors, long deadline) throws InterruptedException {
        return switch (git.run(top, arguments(diff, true), diff.normalised(), deadline)) {
            case Ran.Ended ended when ended.exitCode() == 0 -> new ApplyCheck.AlreadyApplied();
            case Ran.Ended ended -> new ApplyCheck.Conflicts(shortened(errors) + hint(diff));
            case Ran.TimedOut() -> timedOut();
            case Ran.NotStarted(String reason) -> new ApplyCheck.Unavailable(reason);
        };
    }

    private static List<String> arguments(Diff diff, boolean reverse) {
        List<String> arguments = new ArrayList<>(List.of("apply", "--check", "-p" + diff.strip()));
        if (reverse) {
            arguments.add("--reverse");
        }
        arguments.add("-");
        return arguments;
    }

    private ApplyCheck timedOut() {
        return new ApplyCheck.Unavailable("git did not answer within " + timeout.toSeconds() + " s and was ended");
    }

    private static String hint(Diff diff) {
        boolean incomplete = diff.files().stream()
                .map(FileChange::binary)
                .anyMatch(binary -> binary != null && binary.patch() == null);
        return incomplete ? "\nhint: send binary files with git diff --binary" : "";
    }

    private static Stream<String> paths(Diff diff) {
        return diff.files().stream()
                .flatMap(file -> Stream.of(Optional.ofNullable(file.oldPath()), Optional.ofNullable(file.newPath())))
                .flatMap(Optional::stream);
    }

    /** Git refuses these too; this says it so that a proposer understands it. */
    private static boolean isOutside(String path) {
        return path.startsWith("/")
                || Stream.of(path.split("/"))
                        .anyMatch(part -> part.equals("..")
                                || part.toLowerCase(Locale.ROOT).equals(".git"));
    }

    private static String shortened(String text) {
        String trimmed = text.strip();
        return trimmed.length() <= MOST_MESSAGE ? trimmed : trimmed.substring(0, MOST_MESSAGE) + "\n...";
    }
}
