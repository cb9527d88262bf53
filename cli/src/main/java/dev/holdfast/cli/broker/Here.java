package dev.holdfast.cli.broker;

import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.git.Git;
import dev.holdfast.git.GitConfig;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.Patience;
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
 * The repository that a command is typed in, as the broker is told of it with every call. It is found by looking at files: only
 * the first commit, which never changes, is asked of git, once.
 */
public record Here(WorkingTree tree, Shell shell) {
    /** A history of a million commits is walked within seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Empty outside any repository. */
    public static Optional<Here> of(Shell shell) {
        return WorkingTree.of(shell.folder().toString()).map(tree -> new Here(tree, shell));
    }

    /** What the broker is told of it. */
    public String header() {
        return "name=" + encoded(tree.name()) + "&folder=" + encoded(tree.home().toString()) + "&root=" + root();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Empty when it is not known, as before the first commit. */
    private String root() {
        Path kept = StateFolder.of(shell)
                .resolve("roots")
                .resolve(Hash.of(tree.home().toString()));
        try {
            String root = Files.readString(kept).strip();
            if (root.matches("[0-9a-f]{40,64}")) {
                return root;
            }
        } catch (IOException none) {
            // it is asked for now
        }
        try {
            Optional<String> root = Git.alone(shell.environment())
                    .find(tree.root(), Patience.inAll(PATIENCE))
                    .root();
            root.ifPresent(found -> keep(kept, found));
            return root.orElse("");
        } catch (GitFailure unknown) {
            return "";
        }
    }

    private static void keep(Path file, String root) {
        try {
            PrivateFiles.folder(Objects.requireNonNull(file.getParent()));
            Files.writeString(PrivateFiles.file(file), root + "\n");
        } catch (IOException e) {
            // it is asked for again next time
        }
    }

    /** Who the user is by git's settings, this repository's first; empty when they do not say. */
    public static Optional<String> user(Shell shell) {
        return Stream.concat(
                        of(shell).map(here -> here.tree.gitFolder().resolve("config")).stream(),
                        Stream.of(
                                shell.home().resolve(".gitconfig"),
                                shell.configFolder().resolve("git").resolve("config")))
                .map(Here::name)
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
