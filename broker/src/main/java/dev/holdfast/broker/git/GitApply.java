package dev.holdfast.broker.git;

import dev.holdfast.git.Git;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.GitResult;
import dev.holdfast.git.GitTimeout;
import dev.holdfast.git.LocalRepository;
import dev.holdfast.git.ObjectStore;
import dev.holdfast.git.ZeroId;
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
 * Asks git whether a diff applies. Never call this inside a transaction: git may take as long as the timeout.
 *
 * <p>A diff is checked against commits, never against files in a working tree, so other people's uncommitted work does
 * not matter and nothing that a repository configures is run. The order is:
 *
 * <ol>
 *   <li>Its base: the commit it was made from, if given and known; the empty tree, if it was made before the first
 *       commit; otherwise the commit that is checked out.
 *   <li>The staged content, if no base is given or the base is checked out: the diff may be further work on top of it.
 *   <li>The base in reverse: a diff that can be reverted is already there, as committed work.
 * </ol>
 *
 * Only a few git processes run at once. Waiting for a turn counts towards the timeout, so git processes that hang delay
 * others by no more than that.
 */
public final class GitApply {
    public static final Duration TIMEOUT = Duration.ofSeconds(20);
    public static final int AT_ONCE = 4;

    /** The timeout for checks that a hook waits for. */
    private static final Duration QUICK = Duration.ofSeconds(1);

    private static final int MAX_MESSAGE = 4_000;
    private static final int SHORT_ID = 12;
    /** Caller input: only an id, nothing else that git could take for a name. */
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,64}");

    private final Git git;
    private final Duration timeout;
    private final Semaphore turns;

    /**
     * Takes the environment for git, usually {@link System#getenv()}.
     *
     * @param timeout for a whole check
     * @param atOnce how many checks may run concurrently
     */
    public GitApply(Map<String, String> environment, Duration timeout, int atOnce) {
        this.git = Git.alone(environment);
        this.timeout = timeout;
        this.turns = new Semaphore(atOnce, true);
    }

    /**
     * Returns whether the diff applies to the repository that the folder is in. Changes nothing.
     *
     * @param base the commit that the diff was made from, or {@link ZeroId}; null: unknown
     */
    public ApplyCheck check(Path folder, Diff diff, @Nullable String base) {
        return check(folder, diff, (repository, objects) -> check(repository, objects, diff, base));
    }

    /**
     * The same for a patch that replaces a content or applies on top of it. If both are possible, it counts as on top
     * when it touches none of the content's files: as a replacement, it would lose the content.
     */
    public ApplyCheck onTop(Path folder, Diff patch, Diff content, @Nullable String base) {
        return check(
                folder,
                patch,
                (repository, objects) -> from(repository, objects, base)
                        .flatMap(commit -> new CounterPatchCheck(objects, content, patch).check(commit))
                        .orElseGet(() -> check(repository, objects, patch, base)));
    }

    /**
     * Whether a folder is in a repository that has this commit; for an empty commit, whether it is in any repository.
     */
    public boolean has(Path folder, String commit) {
        try {
            LocalRepository repository = git.find(folder, GitTimeout.inAll(QUICK));
            return commit.isEmpty()
                    || (isCommit(commit) && repository.commit(commit).isPresent());
        } catch (GitFailure none) {
            return false;
        }
    }

    /** The first commit of a folder's repository; empty when it cannot be found quickly. */
    public Optional<String> root(Path folder) {
        try {
            return git.find(folder, GitTimeout.inAll(QUICK)).root();
        } catch (GitFailure none) {
            return Optional.empty();
        }
    }

    private interface Look {
        ApplyCheck at(LocalRepository repository, ObjectStore objects);
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
        GitTimeout patience = GitTimeout.inAll(timeout);
        if (!turns.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return new ApplyCheck.Unavailable(
                    "other checks kept git busy for " + timeout.toSeconds() + " s; try again later");
        }
        try {
            LocalRepository repository = git.find(folder, patience);
            try (ObjectStore objects = repository.objects()) {
                return look.at(repository, objects);
            }
        } finally {
            turns.release();
        }
    }

    /** Whether this caller input is a commit id, in full or abbreviated. */
    static boolean isCommit(@Nullable String named) {
        return named != null && COMMIT.matcher(named).matches();
    }

    private static Optional<String> known(LocalRepository repository, @Nullable String base) {
        return Optional.ofNullable(base)
                .filter(id -> isCommit(id) && !ZeroId.is(id))
                .flatMap(repository::commit);
    }

    /** What a content was made from: a commit, or the empty tree. */
    private static Optional<String> from(LocalRepository repository, ObjectStore objects, @Nullable String base) {
        return ZeroId.is(base)
                ? Optional.of(objects.emptyTree())
                : known(repository, base).or(repository::head);
    }

    private static ApplyCheck check(LocalRepository repository, ObjectStore objects, Diff diff, @Nullable String base) {
        boolean fromNothing = ZeroId.is(base);
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

    /** Git's messages mention its index, here that of the base, which means nothing to a proposer. */
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

    /** Git refuses these too, but with a message that proposers would not understand. */
    static boolean isOutside(String path) {
        return path.startsWith("/")
                || Stream.of(path.split("/"))
                        .anyMatch(part -> part.equals("..")
                                || part.toLowerCase(Locale.ROOT).equals(".git"));
    }

    private static String shortened(String text) {
        String trimmed = text.strip();
        return trimmed.length() <= MAX_MESSAGE ? trimmed : trimmed.substring(0, MAX_MESSAGE) + "\n...";
    }
}
