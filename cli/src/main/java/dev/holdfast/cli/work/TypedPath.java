package dev.holdfast.cli.work;

import dev.holdfast.cli.broker.CurrentRepository;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.git.RepositoryName;
import dev.holdfast.git.WorkingTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Converts paths and globs as people type them, relative to the current folder as in git, to the broker's form,
 * relative to the root of the repository.
 */
final class TypedPath {
    private TypedPath() {}

    /** Outside the repository in question they can only be relative to its root, so they stay as typed. */
    static List<String> all(Invocation invocation, List<String> typed) {
        Optional<WorkingTree> tree = CurrentRepository.of(invocation.shell()).map(CurrentRepository::tree);
        String queue = invocation.arguments().text("--queue");
        if (tree.isEmpty()
                || (queue != null && !RepositoryName.of(queue).equals(tree.get().name()))) {
            return typed;
        }
        Path folder = invocation.shell().folder().toAbsolutePath().normalize();
        return typed.stream()
                .map(each -> fromRoot(tree.get().root(), folder, each))
                .toList();
    }

    static String one(Invocation invocation, String typed) {
        return all(invocation, List.of(typed)).getFirst();
    }

    private static String fromRoot(Path root, Path folder, String typed) {
        boolean absolute = typed.startsWith("/");
        if (!absolute && folder.equals(root) && !typed.startsWith(".") && !typed.contains("..")) {
            return typed;
        }
        String whole = absolute ? withoutRoot(root, typed) : written(root.relativize(folder)) + "/" + typed;
        Deque<String> names = new ArrayDeque<>();
        for (String name : whole.split("/")) {
            if (name.equals("..")) {
                if (names.pollLast() == null) {
                    throw outside(root, typed);
                }
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(name);
            }
        }
        return names.isEmpty() ? "**" : String.join("/", names);
    }

    /** The folder may have been reached through a link, so its real path counts too. */
    private static String withoutRoot(Path root, String typed) {
        for (String start : List.of(written(root), written(real(root)))) {
            if (typed.equals(start) || typed.startsWith(start + "/")) {
                return typed.substring(start.length());
            }
        }
        throw outside(root, typed);
    }

    private static Path real(Path root) {
        try {
            return root.toRealPath();
        } catch (IOException e) {
            return root;
        }
    }

    private static String written(Path path) {
        return path.toString().replace('\\', '/');
    }

    private static Failure outside(Path root, String typed) {
        return Failure.invalid(typed + " is outside this repository (" + root + ")");
    }
}
