package dev.holdfast.cli.broker;

import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.git.Git;
import dev.holdfast.git.GitConfig;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.GitTimeout;
import dev.holdfast.git.WorkingTree;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The repository in which a command runs; every call tells the broker about it. It is found by looking at files. Git is
 * asked only once, for the first commit, which never changes.
 */
public record CurrentRepository(WorkingTree tree, Shell shell) {
    /** Walking a history of a million commits takes seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Empty outside any repository. */
    public static Optional<CurrentRepository> of(Shell shell) {
        return WorkingTree.of(shell.folder().toString()).map(tree -> new CurrentRepository(tree, shell));
    }

    /** Why there is no repository here, and what to do. */
    public static String missing(Shell shell) {
        return of(shell)
                .map(here -> "the broker does not know " + here.tree.root())
                .or(() -> WorkingTree.bare(shell.folder())
                        .map(bare -> bare + " is a bare repository without a working tree;"
                                + " run this in a clone or working tree of it"))
                .orElseGet(() -> shell.folder() + " is not in a git repository");
    }

    /**
     * A warning for when this repository is known by its name only: it belongs to another user, so git refuses to read
     * it. Empty if git can read it.
     */
    public static Optional<String> untrusted(Shell shell) {
        return of(shell).filter(here -> here.kept().isEmpty()).flatMap(CurrentRepository::refusal);
    }

    private Optional<String> refusal() {
        try {
            Git.alone(shell.environment()).find(tree.root(), GitTimeout.inAll(PATIENCE));
            return Optional.empty();
        } catch (GitFailure e) {
            return e.kind() == GitFailure.Kind.UNTRUSTED ? Optional.of(e.text()) : Optional.empty();
        }
    }

    /** The header that describes it to the broker. */
    public String header() {
        return "name=" + encoded(tree.name()) + "&folder=" + encoded(tree.home().toString()) + "&root=" + root();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Empty when unknown, as before the first commit. */
    private String root() {
        Optional<String> known = kept();
        if (known.isPresent()) {
            return known.get();
        }
        try {
            Optional<String> root = Git.alone(shell.environment())
                    .find(tree.root(), GitTimeout.inAll(PATIENCE))
                    .root();
            root.ifPresent(found -> keep(rootFile(), found + "\n" + tree.home()));
            return root.orElse("");
        } catch (GitFailure unknown) {
            return "";
        }
    }

    /** The cached answer from git, stored with the folder it is about. */
    private Optional<String> kept() {
        try {
            String[] lines = Files.readString(rootFile()).split("\n", 2);
            return lines.length == 2 && lines[1].equals(tree.home().toString()) && lines[0].matches("[0-9a-f]{40,64}")
                    ? Optional.of(lines[0])
                    : Optional.empty();
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    private Path rootFile() {
        return StateFolder.of(shell)
                .resolve("roots")
                .resolve(Hash.of(tree.home().toString()));
    }

    private static void keep(Path file, String text) {
        try {
            PrivateFiles.folder(Objects.requireNonNull(file.getParent()));
            Files.writeString(PrivateFiles.file(file), text);
        } catch (IOException e) {
            // git is asked again next time
        }
    }

    /** The user's name in git's settings: this working tree's, its repository's or the user's; empty when not set. */
    public static Optional<String> user(Shell shell) {
        return Stream.concat(
                        of(shell).stream()
                                .flatMap(here -> Stream.of(
                                        here.tree.gitFolder().resolve("config.worktree"),
                                        here.tree.shared().resolve("config"))),
                        Stream.of(
                                shell.home().resolve(".gitconfig"),
                                shell.configFolder().resolve("git").resolve("config")))
                .map(CurrentRepository::name)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> name(Path file) {
        try {
            return GitConfig.value(file, "user", "name").map(String::strip);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
