package dev.holdfast.git;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The repository that a folder is in, asked where it stands: about commits, names and settings, by commands that run nothing and
 * read no file of the working tree ({@link Git} has the list). What is in its commits is asked of its {@link #objects}.
 */
public final class FoundRepository {
    /** All that is ever run in a repository. */
    private static final Set<String> COMMANDS = Set.of("rev-parse", "rev-list", "merge-base", "config");

    private static final List<String> TAME = List.of(
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "protocol.allow=never",
            // one inside a working tree is content of that tree, made by whoever made the tree
            "-c",
            "safe.bareRepository=explicit");

    private final Path folder;
    private final Git git;
    private final Patience patience;
    private final Places places;

    /**
     * @param inWorkingTree whether the folder is: a repository may say that its working tree is elsewhere, or have none
     * @param own what git keeps for this working tree alone
     * @param common what all working trees share
     * @param shallow the file that says where a history was cut off
     */
    private record Places(
            boolean inWorkingTree,
            Path own,
            Path common,
            Path objects,
            Path index,
            Path shallow,
            String objectFormat) {}

    private FoundRepository(Path folder, Git git, Patience patience) {
        this.folder = folder;
        this.git = git;
        this.patience = patience;
        places = look();
    }

    static FoundRepository in(Path folder, Git git, Patience patience) {
        return new FoundRepository(folder.toAbsolutePath(), git, patience);
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
                // a git that does not know the question repeats it
                lines.get(6).equals("sha256") ? "sha256" : "sha1");
    }

    /** Git has one exit code for all of these; its text only chooses the words of ours. */
    private GitFailure refused(String errors) {
        if (errors.contains("dubious ownership") || errors.contains("unsafe repository")) {
            return new GitFailure(
                    GitFailure.Kind.UNTRUSTED,
                    "git does not trust the repository of " + folder
                            + ", because it belongs to another user. If you trust"
                            + " everybody who can write there: git config --global --add safe.directory '"
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

    /** As git wants it to be written: the top of the repository, which may be above the folder. */
    private String owned(String errors) {
        return quoted(errors, "repository at '");
    }

    /** What git names in quotes after these words; the folder, where it does not. */
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

    /** The folder it was found from. */
    public Path folder() {
        return folder;
    }

    /** The top folder of the working tree that the folder is in; empty where it is in none. */
    public Optional<Path> top() {
        return places.inWorkingTree ? find("rev-parse", "--show-toplevel").map(this::path) : Optional.empty();
    }

    /** Where git keeps what belongs to this working tree alone. */
    public Path gitFolder() {
        return places.own;
    }

    /** Where git keeps what all working trees share. */
    public Path commonFolder() {
        return places.common;
    }

    /** The file with what is staged; there may be none. */
    public Path index() {
        return places.index;
    }

    /** The commit that is checked out; empty before the first. */
    public Optional<String> head() {
        return commit("HEAD");
    }

    /** The id of a commit that somebody names; empty when it is not here. */
    public Optional<String> commit(String named) {
        return find("rev-parse", "--verify", "--quiet", "--end-of-options", named + "^{commit}");
    }

    /** Its first commit, by which clones of one repository are known; empty before it, or where the history was cut off. */
    public Optional<String> root() {
        if (Files.exists(places.shallow)) {
            return Optional.empty();
        }
        GitResult answer = run(List.of("rev-list", "--max-parents=0", "HEAD"));
        // of several, as after a merge of two histories, the oldest
        return answer.succeeded() && !answer.lines().isEmpty()
                ? Optional.of(answer.lines().getLast())
                : Optional.empty();
    }

    /** The content of its commits. Close it after use. */
    public ObjectStore objects() {
        return ObjectStore.of(this, git, patience);
    }

    /** What git answers; it must succeed. */
    public GitResult ask(List<String> words) {
        GitResult answer = run(words);
        if (!answer.succeeded()) {
            throw failed(words, answer);
        }
        return answer;
    }

    /** What git answers, if it succeeds and has something to say. */
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
