package dev.holdfast.cli.git;

import dev.holdfast.git.ExactDiff;
import dev.holdfast.git.Git;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.GitTimeout;
import dev.holdfast.git.HunkHeadings;
import dev.holdfast.git.LocalRepository;
import dev.holdfast.git.ObjectStore;
import dev.holdfast.git.RepositoryName;
import dev.holdfast.git.UnambiguousDiff;
import dev.holdfast.git.ZeroId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The repository of a folder. */
public final class Repository {
    static final String TRACKING = "refs/remotes/";

    /** Git's setting for the branches that only accept approved content, each as {@code origin/main}. */
    static final String PROTECTED = "holdfast.gate.protected";

    /** The name of the staged change in messages. */
    public static final String STAGED = "the staged change";

    /**
     * Walking a history of a million commits takes seconds; if a repository takes longer, something is wrong with it.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final LocalRepository found;

    private Repository(LocalRepository found) {
        this.found = found;
    }

    /** @throws GitFailure when the folder is not in a repository */
    public static Repository of(Path folder, Map<String, String> environment) {
        try {
            return new Repository(Git.inHook(environment).find(folder, GitTimeout.each(PATIENCE)));
        } catch (GitFailure e) {
            if (e.kind() != GitFailure.Kind.NO_REPOSITORY) {
                throw e;
            }
            throw new GitFailure("not a git repository; run this inside one", e);
        }
    }

    /** Whether {@link #of} failed because there is no repository. */
    public static boolean isMissing(GitFailure e) {
        return e.getCause() instanceof GitFailure cause && cause.kind() == GitFailure.Kind.NO_REPOSITORY;
    }

    /** Its key in Holdfast, from {@code git config holdfast.project} or else from its name. */
    public String project() {
        return RepositoryName.key(RepositoryName.of(config("holdfast.project").orElseGet(this::name)));
    }

    /**
     * The name of the top folder; with several worktrees, the main one's: what was approved in one of them is approved
     * in all.
     */
    private String name() {
        Path common = found.commonFolder();
        Path named = common;
        if (common.endsWith(".git")) {
            named = common.getParent();
        } else if (found.gitFolder().equals(common)) {
            named = found.top().orElse(common);
        }
        String name = String.valueOf(named == null ? common : named.getFileName());
        return name.endsWith(".git") ? name.substring(0, name.length() - ".git".length()) : name;
    }

    /**
     * The top folder of this working tree.
     *
     * @throws GitFailure also when only the repository's settings name that folder: they may be a stranger's, and it may
     *     be the user's home folder
     */
    public Path top() {
        Path top = found.top().orElseThrow(() -> new GitFailure(found.folder() + " is not in a git working tree"));
        if (!isOwn(top)) {
            throw new GitFailure("this repository's git settings (core.worktree) put its working tree into " + top
                    + ", which is not its own folder; if you trust them, run this in a clone of it");
        }
        return top;
    }

    /** Whether the folder itself leads to this repository, as its working trees and submodules do. */
    private boolean isOwn(Path top) {
        Path git = top.resolve(".git");
        try {
            Path leadsTo = Files.isRegularFile(git)
                    ? top.resolve(Files.readString(git).strip().replaceFirst("^gitdir: *", ""))
                    : git;
            return Files.isSameFile(leadsTo, found.gitFolder());
        } catch (IOException | InvalidPathException _) {
            return false;
        }
    }

    /** The git folder of this working tree. */
    public Path gitFolder() {
        return found.gitFolder();
    }

    /** The git folder that all working trees share. */
    public Path commonFolder() {
        return found.commonFolder();
    }

    /** A git setting; never one from the repository's files. */
    public Optional<String> config(String key) {
        return found.find("config", "--get", key);
    }

    /** The user's name as in commits. */
    public Optional<String> user() {
        Optional<String> name = config("user.name");
        return name.isPresent()
                ? config("user.email")
                        .map(email -> name.get() + " <" + email + ">")
                        .or(() -> name)
                : config("user.email");
    }

    /** Where git looks for hooks. */
    public Path hooks() {
        return found.folder()
                .resolve(found.ask(List.of("rev-parse", "--git-path", "hooks")).text())
                .normalize();
    }

    /**
     * The real path of git's hooks folder, if it is outside this repository: the repository's settings, or a link in
     * it, may be a stranger's and lead to another repository or to the user's files.
     */
    public Optional<Path> hooksElsewhere() {
        Path real = real(hooks());
        boolean own = Stream.concat(
                        Stream.of(found.commonFolder(), found.gitFolder()), found.top().filter(this::isOwn).stream())
                .anyMatch(folder -> real.startsWith(real(folder)));
        return own ? Optional.empty() : Optional.of(real);
    }

    /** Follows links, as far as the path exists. */
    private static Path real(Path path) {
        Path absolute = path.toAbsolutePath();
        try {
            return absolute.toRealPath();
        } catch (NoSuchFileException missing) {
            Path parent = absolute.getParent();
            if (Files.isSymbolicLink(absolute) || parent == null) {
                throw new GitFailure(path + " is a link that leads nowhere", missing);
            }
            return real(parent).resolve(absolute.getFileName());
        } catch (IOException e) {
            throw new GitFailure("cannot tell where " + path + " is: " + e.getMessage(), e);
        }
    }

    /** Whether other repositories use the same hooks. */
    public boolean sharesHooks() {
        return found.find("config", "--show-scope", "--get", "core.hooksPath")
                .map(found -> found.startsWith("global\t") || found.startsWith("system\t"))
                .orElse(false);
    }

    /** The change in the next commit. */
    public Change staged() {
        List<String> parents = new ArrayList<>();
        found.head().ifPresent(parents::add);
        found.commit("MERGE_HEAD").ifPresent(parents::add);
        try (ObjectStore objects = found.objects()) {
            String from = switch (parents.size()) {
                case 0 -> objects.emptyTree();
                case 1 -> parents.getFirst();
                default -> Merge.byGit(objects, parents.get(0), parents.get(1));
            };
            return Change.on(parents, STAGED, new ExactDiff(objects).placedStaged(from));
        }
    }

    /** A user's diff, made here with their own settings, with only those hunk headings that git writes by default. */
    public String withHeadingsByGit(String diff) {
        try (ObjectStore objects = found.objects()) {
            return HunkHeadings.byGitAlone(diff, objects);
        } catch (GitFailure e) {
            return diff;
        }
    }

    /** The checked-out commit as sent to the broker, or that there is none yet. */
    public String base() {
        return found.head().orElse(ZeroId.ID);
    }

    /** The id of a commit that the user names. */
    public String commit(String named) {
        return found.commit(named).orElseThrow(() -> new GitFailure("no commit '" + named + "' in this repository"));
    }

    /** How many commits of the current branch no remote has, as far as this clone knows. */
    public int countUnpushed() {
        return found.head().isEmpty()
                ? 0
                : Integer.parseInt(found.ask(List.of("rev-list", "--count", "HEAD", "--not", "--remotes"))
                        .text());
    }

    boolean hasCommit(String id) {
        return found.commit(id).isPresent();
    }

    boolean hasObject(String id) {
        return found.find("rev-parse", "--verify", "--quiet", "--end-of-options", id + "^{object}")
                .isPresent();
    }

    /** Whether any branch of this remote is known here. */
    boolean hasBranchesOf(String remote) {
        return found.find("rev-parse", "--glob=" + TRACKING + remote + "/*").isPresent();
    }

    /**
     * The refs of the branches that only accept approved content: as configured, otherwise the remote's default branch.
     */
    List<String> protectedBranches(String remote) {
        List<String> named =
                found.run(List.of("config", "--get-all", PROTECTED)).lines();
        for (String branch : named) {
            if (!hasCommit(TRACKING + branch)) {
                throw new GitFailure("git config " + PROTECTED + " names " + branch
                        + ", but this clone has no such remote branch; write it like origin/main. Fetch it,"
                        + " or correct the setting.");
            }
        }
        if (!named.isEmpty()) {
            return named.stream().map(TRACKING::concat).toList();
        }
        return found
                .find("rev-parse", "--quiet", "--verify", "--symbolic-full-name", TRACKING + remote + "/HEAD")
                .filter(this::hasCommit)
                .stream()
                .toList();
    }

    /** A..B: what is in B but not in A; B alone: everything in it. */
    public Range range(String written) {
        int dots = written.indexOf("..");
        if (written.startsWith("...", Math.max(dots, 0))) {
            throw new GitFailure("a range is written A..B, with two dots");
        }
        if (dots < 0) {
            return range(written, commit(written), List.of());
        }
        String from = dots == 0 ? "HEAD" : written.substring(0, dots);
        String to = dots + 2 == written.length() ? "HEAD" : written.substring(dots + 2);
        return range(written, commit(to), List.of("^" + commit(from)));
    }

    /** @param without further arguments for rev-list that exclude what is already approved */
    Range range(String name, String tip, List<String> without) {
        List<String> arguments = new ArrayList<>(
                List.of("rev-list", "--parents", "--boundary", "--max-count=" + (Range.MAX_COMMITS + 1), tip));
        arguments.addAll(without);
        List<Range.Commit> commits = new ArrayList<>();
        List<String> bases = new ArrayList<>();
        for (String line : found.ask(arguments).lines()) {
            List<String> ids = List.of(line.split(" "));
            if (line.startsWith("-")) {
                bases.add(ids.getFirst().substring(1));
            } else if (!line.isEmpty()) {
                commits.add(new Range.Commit(ids.getFirst(), ids.subList(1, ids.size())));
            }
        }
        refuseCutHistory(commits);
        List<String> last = independent(bases);
        String base = last.size() == 1 ? last.getFirst() : null;
        return new Range(this, name, tip, commits, base, bases.isEmpty());
    }

    /** In a shallow clone, a commit whose parents are missing would seem to add everything. */
    private void refuseCutHistory(List<Range.Commit> commits) {
        List<Range.Commit> first =
                commits.stream().filter(commit -> commit.parents().isEmpty()).toList();
        if (first.isEmpty()) {
            return;
        }
        try (ObjectStore objects = found.objects()) {
            for (Range.Commit commit : first) {
                if (objects.ask(List.of("cat-file", "commit", commit.id())).lines().stream()
                        .takeWhile(line -> !line.isEmpty())
                        .anyMatch(line -> line.startsWith("parent "))) {
                    throw new GitFailure(
                            "this clone is shallow: the history before commit "
                                    + title(objects, commit.id())
                                    + " is not here, so the gate cannot tell what it changes. Fetch the rest: git fetch --unshallow");
                }
            }
        }
    }

    /** Those that are not in the history of another: in a linear history, only the last. */
    private List<String> independent(List<String> commits) {
        if (commits.size() < 2) {
            return commits;
        }
        List<String> arguments = new ArrayList<>(List.of("merge-base", "--independent"));
        arguments.addAll(commits);
        return found.ask(arguments).lines();
    }

    /** What a commit adds to its parent; for a merge, the manual edits beyond git's own merge of the parents. */
    Change commit(Range.Commit commit) {
        List<String> parents = commit.parents();
        try (ObjectStore objects = found.objects()) {
            String title = title(objects, commit.id());
            String from = switch (parents.size()) {
                case 0 -> objects.emptyTree();
                case 1 -> parents.getFirst();
                case 2 -> Merge.byGit(objects, parents.get(0), parents.get(1));
                default ->
                    throw new GitFailure("commit " + title + " merges more than two branches, which"
                            + " cannot be checked on its own; get the whole range approved as one change");
            };
            return Change.on(parents, "commit " + title, new ExactDiff(objects).placedBetween(from, commit.id()));
        }
    }

    /** @param from null: nothing */
    UnambiguousDiff between(@Nullable String from, String to) {
        try (ObjectStore objects = found.objects()) {
            return new ExactDiff(objects).placedBetween(from == null ? objects.emptyTree() : from, to);
        }
    }

    /** Whether a change was reviewed on top of other versions of its files that are in its history. */
    public boolean hasOnlyMoved(Change change, List<UnambiguousDiff.Reviewed> files) {
        if (change.onTopOf().isEmpty()) {
            return false;
        }
        try (ObjectStore objects = found.objects()) {
            return change.placed().hasOnlyMoved(files, (path, id) -> objects.version(change.onTopOf(), path, id));
        }
    }

    private static String title(ObjectStore objects, String commit) {
        return objects.ask(List.of("log", "-1", "--no-show-signature", "--format=%h %s", commit))
                .text();
    }
}
