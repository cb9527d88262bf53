package dev.holdfast.broker.git;

import dev.holdfast.review.record.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which folder a project's diffs belong to: the one that the configuration names, else the folder of that name in the
 * workspace, else the workspace.
 *
 * <p>What a caller sends is only ever compared with names, never used as a path. So nothing outside the workspace and the
 * configured folders can be reached, whatever the name holds; a link in the workspace that leads out of it is no project.
 */
public final class Repositories {
    private final @Nullable Path workspace;
    private final Map<String, Path> configured = new HashMap<>();

    /**
     * @param workspace null: only the configured folders are known
     * @param configured folders by project, in any spelling of its name
     * @throws IllegalArgumentException when two names mean the same project
     */
    public Repositories(@Nullable Path workspace, Map<String, Path> configured) {
        this.workspace = workspace;
        configured.forEach((project, folder) -> {
            if (this.configured.putIfAbsent(key(project), workspace == null ? folder : workspace.resolve(folder))
                    != null) {
                throw new IllegalArgumentException("two projects are both called " + key(project) + " when only letters"
                        + " and digits count: " + configured.keySet());
            }
        });
    }

    /**
     * Returns the one name by which a project is known everywhere: lower case, letters a-z and digits only. An absolute
     * path, such as the top folder of a repository, counts by its last part. Empty when there is no name.
     */
    public static String key(@Nullable String project) {
        return Project.key(project);
    }

    /** Returns the folder of a project; the workspace, if there is one, when none is known by that name. */
    public @Nullable Path folder(@Nullable String project) {
        String key = key(project);
        Path known = configured.get(key);
        if (known != null) {
            return known;
        }
        return key.isEmpty() || workspace == null
                ? workspace
                : inWorkspace(workspace, key).orElse(workspace);
    }

    /** Of several folders whose names differ only in what does not count, the first by name. */
    private static Optional<Path> inWorkspace(Path workspace, String key) {
        try (Stream<Path> folders = Files.list(workspace)) {
            Path top = workspace.toRealPath();
            List<Path> named =
                    folders.filter(folder -> isNamed(folder, key)).sorted().toList();
            return named.stream()
                    .filter(folder -> Files.isDirectory(folder) && isInside(folder, top))
                    .findFirst();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean isNamed(Path folder, String key) {
        String name = folder.getFileName().toString();
        return !name.startsWith(".") && key(name).equals(key);
    }

    private static boolean isInside(Path folder, Path top) {
        try {
            Path real = folder.toRealPath();
            return real.startsWith(top) && !real.equals(top);
        } catch (IOException gone) {
            return false;
        }
    }
}
