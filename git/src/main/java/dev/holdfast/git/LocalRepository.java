package dev.holdfast.git;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The repository of a folder, queried in place about commits, names and settings, with commands that run nothing and
 * read no file of the working tree ({@link Git} lists them). For the content of its commits, use {@link #objects}.
 */
public final class LocalRepository {
    /** The only commands ever run in a repository. */
    private static final Set<String> COMMANDS = Set.of("rev-parse", "rev-list", "merge-base", "config");

    private static final List<String> TAME = List.of(
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "protocol.allow=never",
            // a bare repository inside a working tree is part of that tree's content, written by whoever wrote that
            "-c",
            "safe.bareRepository=explicit");

    private final Path folder;
    private final Git git;
    private final GitTimeout patience;
    private final Places places;

    /**
     * @param inWorkingTree whether the folder is in one: a repository may say that its working tree is elsewhere, or
     *     have none
     * @param own the git folder of this working tree
     * @param common the git folder that all working trees share
     * @param shallow the file that says where a history is cut off
     */
    private record Places(
            boolean inWorkingTree,
            Path own,
            Path common,
            Path objects,
            Path index,
            Path shallow,
            String objectFormat) {}

    private LocalRepository(Path folder, Git git, GitTimeout patience) {
        this.folder = folder;
        this.git = git;
        this.patience = patience;
        places = look();
    }

    static LocalRepository in(Path folder, Git git, GitTimeout patience) {
        return new LocalRepository(folder.toAbsolutePath(), git, patience);
    }

    private Places look() {
        GitResult answer = run(List.of(
                "rev-parse",
                "--is-inside-work-tree",
                "--git-dir",
                "--git-common-dir",
                "--git-path",
                "objects",
                "--git-path",
                "index",
                "--git-path",
                "shallow",
                "--show-object-format"));
        if (!answer.succeeded()) {
            throw refused(answer.errors());
        }
        List<String> lines = answer.lines();
        if (lines.size() != 7) {
            throw new GitFailure(
                    "the path of the repository that " + folder + " is in has a line break, which git cannot report");
        }
        return new Places(
                lines.get(0).equals("true"),
                path(lines.get(1)),
                path(lines.get(2)),
                path(lines.get(3)),
                path(lines.get(4)),
                path(lines.get(5)),
                // a git that does not know this option prints it back
                lines.get(6).equals("sha256") ? "sha256" : "sha1");
    }

    /** Git has one exit code for all of these; its text only selects our message. */
    private GitFailure refused(String errors) {
        if (errors.contains("dubious ownership") || errors.contains("unsafe repository")) {
            return new GitFailure(
                    GitFailure.Kind.UNTRUSTED,
                    "git does not trust the repository of " + folder
                            + ", because it belongs to another user. If you trust"
                            + " everyone who can write there: git config --global --add safe.directory '"
                            + owned(errors) + "'");
        }
        if (errors.contains("safe.bareRepository") && isOfGit(folder)) {
            return new GitFailure(
                    GitFailure.Kind.UNTRUSTED, folder + " is in git's own folder; run this in the working tree");
        }
        if (errors.contains("safe.bareRepository")) {
            Path bare = path(quoted(errors, "bare repository '"));
            return new GitFailure(
                    GitFailure.Kind.UNTRUSTED,
                    bare
                            + " is a bare repository. One can be hidden among a stranger's files, so it is used only if you name"
                            + " it: GIT_DIR=" + bare);
        }
        if (errors.contains("not a git repository")) {
            return new GitFailure(GitFailure.Kind.NO_REPOSITORY, folder + " is not in a git repository");
        }
        return new GitFailure("git cannot use the repository of " + folder + ": " + errors.strip());
    }

    private static boolean isOfGit(Path folder) {
        for (Path part : folder) {
            if (part.toString().equals(".git")) {
                return true;
            }
        }
        return false;
    }

    /** The path to trust, as git wants it: the top of the repository, which may be above the folder. */
    private String owned(String errors) {
        return quoted(errors, "repository at '");
    }

    /** What git quotes after these words; otherwise the folder. */
    private String quoted(String errors, String words) {
        int start = errors.indexOf(words);
        int end = errors.indexOf('\'', start + words.length());
        return start < 0 || end < 0 ? folder.toString() : errors.substring(start + words.length(), end);
    }

    private Path path(String name) {
        try {
            return folder.resolve(name).normalize();
        } catch (InvalidPathException e) {
            throw new GitFailure("git names a path that this system cannot use: " + name, e);
        }
    }

    /** The folder from which it was found. */
    public Path folder() {
        return folder;
    }

    /** The top of the working tree that the folder is in; empty when it is in none. */
    public Optional<Path> top() {
        return places.inWorkingTree ? find("rev-parse", "--show-toplevel").map(this::path) : Optional.empty();
    }

    /** The git folder of this working tree. */
    public Path gitFolder() {
        return places.own;
    }

    /** The git folder that all working trees share. */
    public Path commonFolder() {
        return places.common;
    }

    /** The index file; may not exist. */
    public Path index() {
        return places.index;
    }

    /** The checked-out commit; empty before the first one. */
    public Optional<String> head() {
        return commit("HEAD");
    }

    /** The id of the commit that a name means; empty when it is not here. */
    public Optional<String> commit(String named) {
        return find("rev-parse", "--verify", "--quiet", "--end-of-options", named + "^{commit}");
    }

    /**
     * Its first commit, by which clones are recognized as the same repository; empty before it, or if the history is
     * cut off.
     */
    public Optional<String> root() {
        if (Files.exists(places.shallow)) {
            return Optional.empty();
        }
        GitResult answer = run(List.of("rev-list", "--max-parents=0", "HEAD"));
        // the oldest of several, as after merging two histories
        return answer.succeeded() && !answer.lines().isEmpty()
                ? Optional.of(answer.lines().getLast())
                : Optional.empty();
    }

    /** The content of its commits. Close it after use. */
    public ObjectStore objects() {
        return ObjectStore.of(this, git, patience);
    }

    /** Git's answer; throws if the command fails. */
    public GitResult ask(List<String> words) {
        GitResult answer = run(words);
        if (!answer.succeeded()) {
            throw failed(words, answer);
        }
        return answer;
    }

    /** Git's answer, if the command succeeds and prints anything. */
    public Optional<String> find(String... words) {
        GitResult answer = run(List.of(words));
        return answer.succeeded() && answer.output().length > 0 ? Optional.of(answer.text()) : Optional.empty();
    }

    public GitResult run(List<String> words) {
        if (!COMMANDS.contains(words.getFirst())) {
            throw new IllegalArgumentException("git " + words.getFirst() + " is not run in repositories");
        }
        List<String> command = new ArrayList<>(TAME);
        command.addAll(words);
        if (!Files.isDirectory(folder)) {
            throw new GitFailure(GitFailure.Kind.NO_REPOSITORY, "the folder " + folder + " does not exist");
        }
        return git.run(folder, git.environment(), command, Limits.of(patience));
    }

    static GitFailure failed(List<String> words, GitResult answer) {
        return new GitFailure("git " + words.getFirst() + " failed: "
                + (answer.errors().isBlank()
                        ? "exit code " + answer.exitCode()
                        : answer.errors().strip()));
    }

    Path objectFolder() {
        return places.objects;
    }

    Path shallow() {
        return places.shallow;
    }

    String objectFormat() {
        return places.objectFormat;
    }
}
