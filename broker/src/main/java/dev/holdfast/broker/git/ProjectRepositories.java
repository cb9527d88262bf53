package dev.holdfast.broker.git;

import dev.holdfast.review.record.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the folder that a project's diffs belong to: the configured one, else folders where clients have been, else the
 * folder of that name in the workspace, else the workspace itself if it was configured or is the project.
 *
 * <p>A project's name is only compared with names, never used as a path. A link that leads out of the workspace is not
 * a project.
 */
public final class ProjectRepositories {
    private final @Nullable Path workspace;
    private final Map<String, Path> configured = new HashMap<>();
    private final Function<String, List<Path>> known;
    private final boolean generalist;

    /** Knows only these folders; the workspace serves every project without a folder. */
    public ProjectRepositories(@Nullable Path workspace, Map<String, Path> configured) {
        this(workspace, configured, _ -> List.of(), true);
    }

    /**
     * @param workspace null: none
     * @param known folders where clients have been, by project key
     * @param generalist whether the workspace serves every project without a folder; otherwise only unnamed projects
     *     and the one that it is itself
     * @param configured folders by project, in any spelling
     * @throws IllegalArgumentException when two names mean the same project
     */
    public ProjectRepositories(
            @Nullable Path workspace,
            Map<String, Path> configured,
            Function<String, List<Path>> known,
            boolean generalist) {
        this.workspace = workspace;
        this.known = known;
        this.generalist = generalist;
        configured.forEach((project, folder) -> {
            if (this.configured.putIfAbsent(key(project), workspace == null ? folder : workspace.resolve(folder))
                    != null) {
                throw new IllegalArgumentException("two projects have the same key " + key(project) + ": only letters"
                        + " and digits count, in " + configured.keySet());
            }
        });
    }

    /**
     * Returns the key by which a project is known everywhere: lower-case letters a-z and digits only. For an absolute
     * path, such as a repository's top folder, only the last part counts. Empty when there is no name.
     */
    public static String key(@Nullable String project) {
        return Project.key(project);
    }

    /** The best-known folder of a project; null: none. */
    public @Nullable Path folder(@Nullable String project) {
        List<Path> folders = folders(project);
        return folders.isEmpty() ? null : folders.getFirst();
    }

    /** The folders of a project, the best known first. */
    public List<Path> folders(@Nullable String project) {
        String key = key(project);
        Path named = configured.get(key);
        if (named != null) {
            return List.of(named);
        }
        List<Path> visited = key.isEmpty()
                ? List.of()
                : known.apply(key).stream().filter(Files::isDirectory).toList();
        if (!visited.isEmpty()) {
            return visited;
        }
        return workspace == null
                ? List.of()
                : inWorkspace(workspace, key).map(List::of).orElse(List.of());
    }

    private Optional<Path> inWorkspace(Path top, String key) {
        if (key.isEmpty()) {
            return Optional.of(top);
        }
        return childOf(top, key).or(() -> generalist || isNamed(top, key) ? Optional.of(top) : Optional.empty());
    }

    /** If several folders have the same key, the first by name. */
    private static Optional<Path> childOf(Path workspace, String key) {
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
        String name = String.valueOf(folder.getFileName());
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
