package dev.holdfast.broker.git;

import dev.holdfast.git.Git;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.GitTimeout;
import dev.holdfast.git.LocalRepository;
import dev.holdfast.git.ObjectStore;
import dev.holdfast.git.ZeroId;
import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.FileChange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads files as they were before a change, from the commit it was made from. Never call this inside a transaction: git
 * may take as long as the timeout. Nothing that a repository configures is run.
 */
public final class BaseFiles {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int AT_ONCE = 2;
    /** In bytes: nobody needs the context in a larger file. */
    private static final int LARGEST = 4 << 20;

    public sealed interface Found {}

    /** The file's lines; the diff's own lines are at the positions it gives. */
    public record Lines(List<String> lines) implements Found {}

    /** The file cannot be determined, for this reason. */
    public record Unknown(String reason) implements Found {}

    private final ProjectRepositories repositories;
    private final Git git;
    private final Semaphore turns = new Semaphore(AT_ONCE, true);

    /** @param environment for git, usually {@link System#getenv()} */
    public BaseFiles(ProjectRepositories repositories, Map<String, String> environment) {
        this.repositories = repositories;
        git = Git.alone(environment);
    }

    /** Whether an answer is possible: there is a base, and a folder of the project is known. Does not run git. */
    public boolean couldTell(@Nullable String project, @Nullable String base) {
        return GitApply.isCommit(base)
                && !ZeroId.is(base)
                && !repositories.folders(project).isEmpty();
    }

    /** @param base the commit that the change was made from; null: unknown */
    public Found before(@Nullable String project, @Nullable String base, FileChange file) {
        String path = file.oldPath();
        if (base == null || !GitApply.isCommit(base)) {
            return new Unknown("the proposal does not name the commit it was made from");
        }
        if (path == null || ZeroId.is(base) || GitApply.isOutside(path)) {
            return new Unknown("there is no such file before the change");
        }
        try {
            if (!turns.tryAcquire(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
                return new Unknown("git is busy; try again later");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Unknown("the broker is stopping");
        }
        try {
            return look(project, base, path, file);
        } catch (GitFailure failure) {
            return new Unknown(
                    switch (failure.kind()) {
                        case TOO_MUCH -> "the file is larger than " + (LARGEST >> 20) + " MB";
                        case TIMED_OUT -> "git did not answer within " + TIMEOUT.toSeconds() + " s";
                        case NO_GIT, NO_REPOSITORY, UNTRUSTED, FAILED -> failure.text();
                    });
        } finally {
            turns.release();
        }
    }

    private Found look(@Nullable String project, String base, String path, FileChange file) {
        List<Path> folders = repositories.folders(project);
        if (folders.isEmpty()) {
            return new Unknown("no folder of its project is known on this machine");
        }
        GitTimeout patience = GitTimeout.inAll(TIMEOUT);
        for (Path folder : folders) {
            LocalRepository repository = git.find(folder, patience);
            Optional<String> commit = repository.commit(base);
            if (commit.isPresent()) {
                try (ObjectStore objects = repository.objects()) {
                    return objects.file(commit.get(), path, LARGEST)
                            .<Found>map(content -> fitting(content, file))
                            .orElseGet(() -> new Unknown("its base, commit " + base + ", has no file " + path));
                }
            }
        }
        return new Unknown("its base, commit " + base + ", is not in " + folders.getFirst());
    }

    /** A diff may not have been made from the commit it names; that file's lines would not be its context. */
    private static Found fitting(byte[] content, FileChange file) {
        List<String> lines = lines(new String(content, StandardCharsets.UTF_8));
        List<DiffLine> old = file.hunks().stream()
                .flatMap(hunk -> hunk.lines().stream())
                .filter(line -> line.kind() != DiffLine.Kind.ADDED)
                .toList();
        if (old.isEmpty()) {
            return new Unknown("the diff has no context lines, so nothing shows that it was made from this file;"
                    + " git diff adds three around each change by default");
        }
        boolean fits = old.stream()
                .allMatch(line -> line.oldNumber() <= lines.size()
                        && lines.get(line.oldNumber() - 1).equals(line.text()));
        return fits
                ? new Lines(lines)
                : new Unknown("the diff was not made from the file in the commit it names as its base");
    }

    /** Splits lines like git: a carriage return is part of its line. */
    private static List<String> lines(String text) {
        List<String> lines = List.of(text.split("\n", -1));
        return text.isEmpty() || text.endsWith("\n") ? lines.subList(0, lines.size() - 1) : lines;
    }
}
