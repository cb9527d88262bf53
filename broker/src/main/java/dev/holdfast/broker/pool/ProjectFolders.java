package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.git.ProjectRepositories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the folder that a project's reviewers read: the project's own if known, otherwise the pool's. Looked up every
 * time, because folders can appear, vanish or move while reviewers run.
 */
public record ProjectFolders(ProjectRepositories repositories, Path otherwise) {
    /** As configured; a broker without a pool uses the folders in which it checks diffs. */
    public static ProjectFolders of(Config config, Function<String, List<Path>> known) {
        Path workspace = config.pool() == null
                ? config.reviews().workspace()
                : config.pool().workspace().path();
        return new ProjectFolders(
                new ProjectRepositories(workspace, config.reviews().projects(), known, true),
                Objects.requireNonNullElseGet(workspace, () -> Path.of("")));
    }

    /** The folder as written in the config. */
    Path of(@Nullable String project) {
        return Objects.requireNonNullElse(repositories.folder(project), otherwise);
    }

    /** The folder's real path, so that it has one name whatever links lead to it. */
    public String real(@Nullable String project) {
        return real(of(project));
    }

    static String real(Path folder) {
        try {
            return folder.toRealPath().toString();
        } catch (IOException notHere) {
            return folder.normalize().toString(); // for example, a path that only WSL knows
        }
    }
}
