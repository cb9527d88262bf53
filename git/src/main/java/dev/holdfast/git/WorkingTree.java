package dev.holdfast.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The git working tree that a path is in, found just by looking at files: a git process for every tool call would cost
 * more than everything else.
 *
 * @param shared the git folder that all working trees of the repository share, with its settings
 * @param name the repository's name: {@code git config holdfast.project} in its own settings, else the folder of its
 *     main working tree, whichever this one is
 * @param main the top folder of the main working tree; for a bare repository, its own folder
 */
public record WorkingTree(Path root, Path gitFolder, Path shared, String name, Path main) {
    /** Empty outside any, and for paths of another machine. */
    public static Optional<WorkingTree> of(@Nullable String path) {
        if (path == null) {
            return Optional.empty();
        }
        try {
            for (Path folder = Path.of(path).toAbsolutePath().normalize();
                    folder != null;
                    folder = folder.getParent()) {
                Path git = folder.resolve(".git");
                if (Files.isDirectory(git)) {
                    return Optional.of(new WorkingTree(folder, git, git, name(git, folder), folder));
                }
                if (Files.isRegularFile(git)) {
                    return linked(folder, git);
                }
            }
        } catch (IOException | InvalidPathException _) {
            return Optional.empty(); // unreadable: counts as none
        }
        return Optional.empty();
    }

    /** The bare repository that a folder is in; empty when it is in none. */
    public static Optional<Path> bare(Path path) {
        for (Path folder = path.toAbsolutePath().normalize(); folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("HEAD"))
                    && Files.isDirectory(folder.resolve("objects"))
                    && Files.isDirectory(folder.resolve("refs"))) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    /** A linked working tree (or a submodule): its .git file says where its git folder is. */
    private static Optional<WorkingTree> linked(Path folder, Path file) throws IOException {
        String text = SmallFile.read(file).orElse("").strip();
        if (!text.startsWith("gitdir:")) {
            return Optional.empty();
        }
        Path own = folder.resolve(text.substring("gitdir:".length()).strip()).normalize();
        Optional<String> common = SmallFile.read(own.resolve("commondir"));
        if (common.isEmpty()) {
            return Optional.of(new WorkingTree(folder, own, own, name(own, folder), folder));
        }
        Path shared = own.resolve(common.get().strip()).normalize();
        Path first = shared.endsWith(".git") && shared.getParent() != null ? shared.getParent() : shared;
        return Optional.of(new WorkingTree(folder, own, shared, name(shared, first), first));
    }

    private static String name(Path shared, Path folder) throws IOException {
        return RepositoryName.of(
                GitConfig.value(shared.resolve("config"), "holdfast", "project").orElseGet(() -> name(folder)));
    }

    private static String name(Path folder) {
        Path last = folder.getFileName();
        String name = last == null ? "/" : last.toString();
        return name.endsWith(".git") ? name.substring(0, name.length() - ".git".length()) : name;
    }

    /** The folder that stands for the repository: the main working tree, or this one if there is no main one. */
    public Path home() {
        return Files.exists(main.resolve(".git")) ? main : root;
    }

    /** Null when no branch is checked out. */
    public @Nullable String branch() {
        try {
            String head = SmallFile.read(gitFolder.resolve("HEAD")).orElse("").strip();
            String prefix = "ref: refs/heads/";
            return head.startsWith(prefix) ? head.substring(prefix.length()) : null;
        } catch (IOException _) {
            return null;
        }
    }

    /** The path as in reservations; empty for a path that is not below the root. */
    public Optional<String> relative(Path path) {
        return path.startsWith(root) && !path.equals(root)
                ? Optional.of(root.relativize(path).toString().replace('\\', '/'))
                : Optional.empty();
    }
}
