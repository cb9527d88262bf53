package dev.holdfast.rules;

import dev.holdfast.git.ExactDiff;
import dev.holdfast.git.Git;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.GitTimeout;
import dev.holdfast.git.LocalRepository;
import dev.holdfast.git.ObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The changes in a folder's repository, exactly as the gate sees them. */
final class ChangedFiles {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path folder;
    private final Map<String, String> environment;

    /** @param environment tells git where the user's settings are and, in a hook, what is about to be committed */
    ChangedFiles(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /** The diff from the last commit, or from nothing, to the staged content. */
    String staged() {
        LocalRepository repository = repository();
        try (ObjectStore objects = repository.objects()) {
            return new ExactDiff(objects).staged(repository.head().orElseGet(objects::emptyTree));
        }
    }

    /** @param sinceTheyParted whether to compare with their last common commit */
    String between(String from, String to, boolean sinceTheyParted) {
        LocalRepository repository = repository();
        String first = commit(repository, from);
        String last = commit(repository, to);
        if (sinceTheyParted) {
            first = repository
                    .find("merge-base", first, last)
                    .orElseThrow(() -> new GitFailure(from + " and " + to + " have no commit in common"));
        }
        try (ObjectStore objects = repository.objects()) {
            return new ExactDiff(objects).between(first, last);
        }
    }

    /** The files around the change; a diff from a file needs no repository. */
    Contents contents() {
        return new FolderContents(top().orElse(folder));
    }

    private Optional<Path> top() {
        try {
            return repository().top();
        } catch (GitFailure none) {
            return Optional.empty();
        }
    }

    private LocalRepository repository() {
        return Git.inHook(environment).find(folder, GitTimeout.each(PATIENCE));
    }

    private static String commit(LocalRepository repository, String named) {
        return repository.commit(named).orElseThrow(() -> new GitFailure("there is no commit '" + named + "' here"));
    }
}
