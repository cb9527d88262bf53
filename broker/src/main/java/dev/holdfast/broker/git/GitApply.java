package dev.holdfast.broker.git;

import dev.holdfast.git.FoundRepository;
import dev.holdfast.git.Git;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.GitResult;
import dev.holdfast.git.NoCommit;
import dev.holdfast.git.ObjectStore;
import dev.holdfast.git.Patience;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks git whether a diff applies. Never called inside a transaction: git may take its time, up to the timeout.
 *
 * <p>A diff is held against commits, never against files of a working tree: unsaved work of others does not matter, and nothing
 * that a repository configures is run. In this order:
 *
 * <ol>
 *   <li>Its base: the commit that it was made from, where that is given and known, nothing where it was made before the first
 *       one, else the commit that is checked out.
 *   <li>What is staged, where no base is given or the base is checked out: a diff of further work on top of it.
 *   <li>In reverse, the base: what can be taken back is there already, which is committed work.
 * </ol>
 *
 * Only a few gits run at once. Waiting for a turn counts against the timeout, so that gits that hang make others late by
 * no more than that.
 */
public final class GitApply {
    public static final Duration TIMEOUT = Duration.ofSeconds(20);
    public static final int AT_ONCE = 4;

    /** For what a hook waits for. */
    private static final Duration QUICK = Duration.ofSeconds(1);

    private static final int MOST_MESSAGE = 4_000;
    private static final int SHORT_ID = 12;
    /** A caller's text: an id, and nothing else that git could take for a name. */
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,64}");

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
        this.git = Git.alone(environment);
        this.timeout = timeout;
        this.turns = new Semaphore(atOnce, true);
    }

    /**
     * Returns whether the diff applies to the repository that the folder is in. Changes nothing.
     *
     * @param base the commit that the diff was made from, or {@link NoCommit}; null: unknown
     */
    public ApplyCheck check(Path folder, Diff diff, @Nullable String base) {
        return check(folder, diff, (repository, objects) -> check(repository, objects, diff, base));
    }

    /**
     * The same for a patch that is suggested in place of a content, or on top of it. One that could be either is on top where it
     * touches none of the content's files: in its place, the content would be lost.
     */
    public ApplyCheck onTop(Path folder, Diff patch, Diff content, @Nullable String base) {
        return check(
                folder,
                patch,
                (repository, objects) -> from(repository, objects, base)
                        .flatMap(commit -> new CounterPatchCheck(objects, content, patch).check(commit))
                        .orElseGet(() -> check(repository, objects, patch, base)));
    }

    /** Whether a folder is in a repository that has this commit; an empty one: whether it is in any. */
    public boolean has(Path folder, String commit) {
        try {
            FoundRepository repository = git.find(folder, Patience.inAll(QUICK));
            return commit.isEmpty()
                    || (isCommit(commit) && repository.commit(commit).isPresent());
        } catch (GitFailure none) {
            return false;
        }
    }

    /** The first commit of the repository of a folder; empty when it cannot be found quickly. */
    public Optional<String> root(Path folder) {
        try {
            return git.find(folder, Patience.inAll(QUICK)).root();
        } catch (GitFailure none) {
            return Optional.empty();
        }
    }

    private interface Look {
        ApplyCheck at(FoundRepository repository, ObjectStore objects);
    }

    private ApplyCheck check(Path folder, Diff diff, Look look) {
        Optional<String> outside = paths(diff).filter(GitApply::isOutside).findFirst();
        if (outside.isPresent()) {
            return new ApplyCheck.Conflicts(
                    "error: the diff touches " + outside.get() + ", which is outside the repository");
        }
        if (!Files.isDirectory(folder)) {
            return new ApplyCheck.Unavailable("the folder " + folder + " does not exist");
        }
        try {
            return inTurn(folder, look);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new ApplyCheck.Unavailable("the check was interrupted");
        } catch (GitFailure failure) {
            return new ApplyCheck.Unavailable(
                    failure.kind() == GitFailure.Kind.TIMED_OUT
                            ? "git did not answer within " + timeout.toSeconds() + " s and was killed"
                            : shortened(failure.text()));
        }
    }

    private ApplyCheck inTurn(Path folder, Look look) throws InterruptedException {
        Patience patience = Patience.inAll(timeout);
        if (!turns.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return new ApplyCheck.Unavailable(
                    "other checks kept git busy for " + timeout.toSeconds() + " s; try again later");
        }
        try {
            FoundRepository repository = git.find(folder, patience);
            try (ObjectStore objects = repository.objects()) {
                return look.at(repository, objects);
            }
        } finally {
            turns.release();
        }
    }

    /** Whether a caller's text is the id of a commit, in full or its beginning. */
    static boolean isCommit(@Nullable String named) {
        return named != null && COMMIT.matcher(named).matches();
    }

    private static Optional<String> known(FoundRepository repository, @Nullable String base) {
        return Optional.ofNullable(base)
                .filter(id -> isCommit(id) && !NoCommit.is(id))
                .flatMap(repository::commit);
    }

    /** What a content was made from: a commit, or the tree that has nothing. */
    private static Optional<String> from(FoundRepository repository, ObjectStore objects, @Nullable String base) {
        return NoCommit.is(base)
                ? Optional.of(objects.emptyTree())
                : known(repository, base).or(repository::head);
    }

    private static ApplyCheck check(FoundRepository repository, ObjectStore objects, Diff diff, @Nullable String base) {
        boolean fromNothing = NoCommit.is(base);
        Optional<String> known = known(repository, base);
        Optional<String> commit = fromNothing ? Optional.empty() : known.or(repository::head);
        objects.readTree(commit.orElseGet(objects::emptyTree));
        GitResult applied = objects.run(words(diff, false), diff.normalised());
        if (applied.succeeded()) {
            return new ApplyCheck.Applies();
        }
        boolean checkedOut =
                fromNothing ? repository.head().isEmpty() : known.isEmpty() || known.equals(repository.head());
        boolean onStaged = checkedOut && Files.isRegularFile(repository.index());
        if (onStaged
                && objects.runOnIndex(words(diff, false), diff.normalised()).succeeded()) {
            return new ApplyCheck.Applies();
        }
        if (objects.run(words(diff, true), diff.normalised()).succeeded()) {
            return new ApplyCheck.AlreadyApplied();
        }
        String against = commit.map(id -> "commit " + id.substring(0, SHORT_ID)).orElse("an empty repository")
                + (onStaged ? " and what is staged" : "") + " in " + repository.folder();
        return base == null || fromNothing || known.isPresent()
                ? new ApplyCheck.Conflicts(shortened(said(applied)) + hint(diff) + "\nchecked against " + against
                        + "; make the diff from that commit, or name the one that it was made from as base")
                : new ApplyCheck.Unavailable("its base, commit " + shortened(base) + ", is not in "
                        + repository.folder() + ", and it does not apply to " + against);
    }

    /** The index that git speaks of is that of the base, of which a proposer knows nothing. */
    private static String said(GitResult answer) {
        return answer.errors()
                .replace(": does not exist in index", ": No such file or directory")
                .replace(": already exists in index", ": already exists");
    }

    static List<String> words(Diff diff, boolean reverse) {
        List<String> words =
                new ArrayList<>(List.of("apply", "--cached", "--check", "--whitespace=nowarn", "-p" + diff.strip()));
        if (reverse) {
            words.add("--reverse");
        }
        words.add("-");
        return words;
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
    static boolean isOutside(String path) {
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
