package dev.holdfast.git;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content of a repository's commits and index, read through a git folder of our own. That folder borrows the
 * repository's objects but none of its settings, attributes, hooks or files, so a repository cannot configure anything
 * in it. What git writes goes there and is deleted on close; the repository stays unchanged.
 *
 * <pre>{@code
 * try (ObjectStore objects = Git.alone(System.getenv()).find(folder, GitTimeout.inAll(seconds)).objects()) {
 *     Optional<byte[]> before = objects.file(commit, "src/main.c", 1 << 20);
 * }
 * }</pre>
 */
public final class ObjectStore implements AutoCloseable {
    private static final int MAX_VERSIONS = 1_000;

    private final TemporaryFolder folder;
    private final LocalRepository repository;
    private final Git git;
    private final GitTimeout patience;
    private final Path workingTree;
    private final Map<String, String> variables;

    private ObjectStore(LocalRepository repository, Git git, GitTimeout patience, TemporaryFolder folder)
            throws IOException {
        this.repository = repository;
        this.git = git;
        this.patience = patience;
        this.folder = folder;
        workingTree = Files.createDirectory(folder.resolve("tree"));
        Path own = Files.createDirectory(folder.resolve("git"));
        Files.createDirectory(own.resolve("objects"));
        Files.createDirectory(own.resolve("refs"));
        Files.writeString(own.resolve("HEAD"), "ref: refs/heads/none\n");
        Files.writeString(own.resolve("config"), config(repository.objectFormat()));
        linkShared(own);
        variables = Map.copyOf(variables(own));
    }

    static ObjectStore of(LocalRepository repository, Git git, GitTimeout patience) {
        try {
            TemporaryFolder folder = new TemporaryFolder();
            try {
                return new ObjectStore(repository, git, patience, folder);
            } catch (IOException e) {
                folder.close();
                throw e;
            }
        } catch (IOException e) {
            throw new GitFailure("cannot create a temporary folder for git: " + e.getMessage(), e);
        }
    }

    private static String config(String objectFormat) {
        return objectFormat.equals("sha1")
                ? "[core]\n\trepositoryformatversion = 0\n"
                : "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = " + objectFormat + "\n";
    }

    private Map<String, String> variables(Path own) {
        Map<String, String> whole = new HashMap<>(GitEnvironment.withoutSettings(git.environment(), folder.path()));
        whole.put("GIT_DIR", own.toString());
        whole.put("GIT_WORK_TREE", workingTree.toString());
        whole.put("GIT_INDEX_FILE", folder.resolve("index").toString());
        String objects = quoted(repository.objectFolder().toString());
        // pushed objects are kept apart in quarantine; the existing ones are already listed as alternates
        String more = git.environment().get("GIT_ALTERNATE_OBJECT_DIRECTORIES");
        whole.put("GIT_ALTERNATE_OBJECT_DIRECTORIES", more == null ? objects : objects + File.pathSeparator + more);
        whole.put("GIT_SHALLOW_FILE", repository.shallow().toString());
        return whole;
    }

    private static String quoted(String path) {
        return '"' + path.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** An index may be split, with one part in the git folder under a name that only git reads. */
    private void linkShared(Path own) throws IOException {
        try (DirectoryStream<Path> shared = Files.newDirectoryStream(repository.gitFolder(), "sharedindex.*")) {
            for (Path part : shared) {
                Files.createSymbolicLink(own.resolve(part.getFileName().toString()), part);
            }
        }
    }

    /**
     * A file in a commit; empty when the commit has no such file.
     *
     * @param path from the top of the repository, with slashes
     * @param max bytes; a larger file is a failure of kind {@link GitFailure.Kind#TOO_MUCH}
     */
    public Optional<byte[]> file(String commit, String path, int max) {
        GitResult answer = run(
                List.of("cat-file", "blob", commit + ":" + path),
                Limits.of(patience).saying(max));
        return answer.succeeded() ? Optional.of(answer.output()) : Optional.empty();
    }

    /**
     * Contents by their ids, in that order; empty where an id is unknown or an abbreviated one is ambiguous.
     *
     * @param ids full or abbreviated ids only: git would take other words for names
     * @param max bytes in total; more is a failure of kind {@link GitFailure.Kind#TOO_MUCH}
     */
    public List<Optional<byte[]>> blobs(List<String> ids, long max) {
        if (ids.isEmpty()) {
            return List.of();
        }
        GitResult answer = run(
                List.of("cat-file", "--batch"),
                Limits.of(patience)
                        .reading((String.join("\n", ids) + "\n").getBytes(StandardCharsets.US_ASCII))
                        .saying(max));
        if (!answer.succeeded()) {
            throw LocalRepository.failed(List.of("cat-file"), answer);
        }
        return BatchOutput.blobs(answer.output(), ids.size());
    }

    /**
     * How many digits make each of these ids unambiguous here.
     *
     * @param ids in full
     */
    public int digits(List<String> ids, int least) {
        int max = ids.stream().mapToInt(String::length).max().orElse(least);
        for (int digits = least; digits < max; digits++) {
            if (areOnly(ids, digits)) {
                return digits;
            }
        }
        return max;
    }

    private boolean areOnly(List<String> ids, int digits) {
        String shortened =
                ids.stream().map(id -> id.substring(0, digits) + "\n").collect(Collectors.joining());
        GitResult answer = run(
                List.of("cat-file", "--batch-check=%(objectname)"),
                Limits.of(patience).reading(shortened.getBytes(StandardCharsets.US_ASCII)));
        if (!answer.succeeded()) {
            throw LocalRepository.failed(List.of("cat-file"), answer);
        }
        return answer.lines().equals(ids);
    }

    /**
     * A version of a file in the history of these commits; empty when the id is unknown or ambiguous.
     *
     * @param path from the top of the repository, with slashes
     * @param id in full or abbreviated
     */
    public Optional<byte[]> version(List<String> commits, String path, String id) {
        List<String> words = new ArrayList<>(List.of(
                "--literal-pathspecs",
                "log",
                "--full-history",
                "-m",
                "--raw",
                "--no-abbrev",
                "--no-renames",
                "--no-show-signature",
                "--format=",
                "--max-count=" + MAX_VERSIONS));
        words.addAll(commits);
        words.addAll(List.of("--", path));
        // :100644 100644 id-before id-after M	path
        Set<String> found = ask(words).lines().stream()
                .filter(line -> line.startsWith(":"))
                .flatMap(line -> Stream.of(line.split(" ")).skip(2).limit(2))
                .filter(version -> version.startsWith(id))
                .collect(Collectors.toSet());
        return found.size() == 1 ? blobs(List.copyOf(found), Limits.MAX_OUTPUT).getFirst() : Optional.empty();
    }

    /** Loads a tree or commit into the private index. */
    public void readTree(String tree) {
        ask(List.of("read-tree", tree));
    }

    /** Loads a commit into the private index, and puts its .gitattributes where git looks first. */
    public void checkOutAttributes(String commit) {
        readTree(commit);
        byte[] files =
                ask(List.of("ls-files", "-z", "--", ":(glob)**/.gitattributes")).output();
        GitResult answer = run(
                List.of("checkout-index", "--force", "-z", "--stdin"),
                Limits.of(patience).reading(files));
        if (!answer.succeeded()) {
            throw LocalRepository.failed(List.of("checkout-index"), answer);
        }
    }

    /** The empty tree. */
    public String emptyTree() {
        return ask(List.of("hash-object", "-t", "tree", "--stdin")).text();
    }

    /** Git's answer; throws if the command fails. */
    public GitResult ask(List<String> words) {
        GitResult answer = run(words);
        if (!answer.succeeded()) {
            throw LocalRepository.failed(words, answer);
        }
        return answer;
    }

    public GitResult run(List<String> words) {
        return run(words, Limits.of(patience));
    }

    /** @param input what the command reads, which may be anybody's; so its memory is limited */
    public GitResult run(List<String> words, String input) {
        return run(words, limits(input));
    }

    private Limits limits(String input) {
        return Limits.of(patience)
                .reading(input.getBytes(StandardCharsets.UTF_8))
                .taking(Limits.MAX_MEMORY);
    }

    /** Runs on the repository's own index, which must not be written. */
    public GitResult runOnIndex(List<String> words) {
        return run(words, onIndex(), Limits.of(patience));
    }

    /** As above, with input as in {@link #run(List, String)}. */
    public GitResult runOnIndex(List<String> words, String input) {
        return run(words, onIndex(), limits(input));
    }

    private Map<String, String> onIndex() {
        Map<String, String> whole = new HashMap<>(variables);
        whole.put("GIT_INDEX_FILE", repository.index().toString());
        return whole;
    }

    private GitResult run(List<String> words, Limits limits) {
        return run(words, variables, limits);
    }

    private GitResult run(List<String> words, Map<String, String> whole, Limits limits) {
        List<String> command = new ArrayList<>(List.of("--no-pager"));
        command.addAll(words);
        return git.run(workingTree, whole, command, limits);
    }

    @Override
    public void close() {
        folder.close();
    }
}
