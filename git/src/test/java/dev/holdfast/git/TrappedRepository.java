package dev.holdfast.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A stranger's repository: commits on {@code main} and {@code side} that git can merge, something staged, something changed and not
 * staged, a submodule, and traps. A program of a trap that runs leaves a file in {@link #sprung}.
 */
public final class TrappedRepository {
    /** The file that everything is about. */
    public static final String FILE = "trap.txt";

    public static final String TEXT = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

    /** A diff of the file that fits the base of everything. */
    public static final String DIFF = """
            diff --git a/trap.txt b/trap.txt
            --- a/trap.txt
            +++ b/trap.txt
            @@ -1,4 +1,4 @@
             one
            -two
            +2
             three
             four
            """;

    static final String READ_MISSING = "git cat-file -p HEAD:other.txt";

    private final Path folder;
    private final Path marks;

    private TrappedRepository(Path folder, Path marks) {
        this.folder = folder;
        this.marks = marks;
    }

    /** @param parent a real path, without links, because git tells such */
    public static TrappedRepository in(Path parent, Trap... traps) throws Exception {
        TrappedRepository repository = new TrappedRepository(
                Files.createDirectories(parent.resolve("stranger")), Files.createDirectories(parent.resolve("marks")));
        repository.git("init", "-q", "-b", "main");
        repository.write(FILE, TEXT);
        repository.write("other.txt", "other\n");
        repository.write(".gitattributes", FILE + " filter=trap diff=trap merge=trap\n");
        Path module = Files.createDirectory(repository.module());
        git(module, "init", "-q", "-b", "main");
        git(module, "commit", "-q", "--allow-empty", "-m", "one");
        repository.commit("base");
        repository.git("checkout", "-q", "-b", "side");
        repository.write(FILE, TEXT.replace("one", "1"));
        repository.commit("side");
        repository.git("checkout", "-q", "main");
        repository.write(FILE, TEXT.replace("seven", "7"));
        repository.commit("main");
        repository.write(FILE, TEXT.replace("seven", "7").replace("four", "4"));
        Files.writeString(module.resolve("file"), "content\n");
        git(module, "add", "-A");
        git(module, "commit", "-q", "-m", "two");
        repository.git("add", "-A");
        for (Trap trap : traps) {
            trap.plant(repository);
        }
        // of the same size, so that git must read them to see that they have changed
        repository.write(FILE, TEXT.replace("seven", "7").replace("four", "4").replace("five", "FIVE"));
        repository.write("other.txt", "OTHER\n");
        repository.forget();
        return repository;
    }

    /** Plants one more. */
    public void set(Trap trap) throws Exception {
        trap.plant(this);
        forget();
    }

    /** Of those that went off while we planted. */
    private void forget() throws IOException {
        try (Stream<Path> early = Files.list(marks)) {
            for (Path mark : early.toList()) {
                Files.delete(mark);
            }
        }
    }

    public Path folder() {
        return folder;
    }

    /** A submodule; another commit of it is staged than the last commit has. */
    Path module() {
        return folder.resolve("module");
    }

    /** The traps that went off. */
    public List<String> sprung() throws IOException {
        try (Stream<Path> files = Files.list(marks)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    Path mark(Trap trap) {
        return marks.resolve(trap.name());
    }

    /** Where any other trap leaves its mark. */
    public Path mark(String name) {
        return marks.resolve(name);
    }

    public Path write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    public void commit(String message) throws Exception {
        git("-c", "advice.addEmbeddedRepo=false", "add", "-A");
        git("commit", "-q", "-m", message);
    }

    public void config(String key, String value) throws Exception {
        configOf(folder, key, value);
    }

    void configOf(Path where, String key, String value) throws Exception {
        git(where, "config", key, value);
    }

    /** Makes other.txt an object that is not here, and this address the place to get it from. */
    void missObject(String url) throws Exception {
        String id = git("rev-parse", "HEAD:other.txt");
        Files.delete(folder.resolve(".git/objects/" + id.substring(0, 2) + "/" + id.substring(2)));
        config("core.repositoryFormatVersion", "1");
        config("extensions.partialClone", "origin");
        config("remote.origin.promisor", "true");
        config("remote.origin.url", url);
    }

    void signHead() throws Exception {
        String commit = git("cat-file", "commit", "HEAD");
        Path signed = write(
                "signed",
                commit.replaceFirst(
                                "(?m)^(committer .*)$",
                                "$1\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----")
                        + "\n");
        git("update-ref", "HEAD", git("hash-object", "-t", "commit", "-w", signed.toString()));
        Files.delete(signed);
    }

    void copyObjects(String to) throws Exception {
        copyGitFolder(to);
        write(".git/objects/info/alternates", folder.resolve(to).resolve("objects") + "\n");
    }

    void copyGitFolder(String to) throws Exception {
        Path target = folder.resolve(to);
        Files.createDirectories(target.getParent());
        shell(folder, "cp -r .git '" + target + "'");
    }

    /** Runs plain git here, which must succeed. */
    public String git(String... words) throws Exception {
        return git(folder, words);
    }

    private static String git(Path where, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "protocol.allow=never"));
        command.addAll(List.of(words));
        return run(where, command, Map.of(), true);
    }

    /** Runs into a trap, as a user of plain git would; how that ends is all the same. */
    public void spring(Trap trap) throws Exception {
        shell(folder, trap.springs());
    }

    /** The same with a command and variables of the user's. */
    public void spring(String command, Map<String, String> variables) throws Exception {
        run(folder, List.of("sh", "-c", command), variables, false);
    }

    private static void shell(Path where, String command) throws Exception {
        run(where, List.of("sh", "-c", command), Map.of(), false);
    }

    private static String run(Path where, List<String> command, Map<String, String> variables, boolean must)
            throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_") || name.endsWith("ASKPASS"));
        builder.environment().putAll(user(where));
        builder.environment().putAll(variables);
        builder.redirectErrorStream(true);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || (must && process.exitValue() != 0)) {
            throw new IllegalStateException(command + " ended with " + process.exitValue() + ": " + said);
        }
        return said.strip();
    }

    private static Map<String, String> user(Path home) {
        Map<String, String> user = new HashMap<>(Map.of("GIT_CONFIG_NOSYSTEM", "1", "GIT_CONFIG_GLOBAL", "/dev/null"));
        for (String who : List.of("AUTHOR", "COMMITTER")) {
            user.put("GIT_" + who + "_NAME", "A Stranger");
            user.put("GIT_" + who + "_EMAIL", "stranger@example.org");
            user.put("GIT_" + who + "_DATE", "2026-01-01T00:00:00Z");
        }
        user.put("HOME", home.resolve("no-home").toString());
        return user;
    }
}
