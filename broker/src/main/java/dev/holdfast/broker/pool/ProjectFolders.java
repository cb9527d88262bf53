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
 * Which folder the reviewers of a project read: the project's own, if it is known, else the pool's. Looked up anew each
 * time, for a folder may appear, vanish or move while reviewers live.
 */
public record ProjectFolders(ProjectRepositories repositories, Path otherwise) {
    /** As configured; a broker without a pool looks where diffs are checked. */
    public static ProjectFolders of(Config config, Function<String, List<Path>> known) {
        Path workspace = config.pool() == null
                ? config.reviews().workspace()
                : config.pool().workspace().path();
        return new ProjectFolders(
                new ProjectRepositories(workspace, config.reviews().projects(), known, true),
                Objects.requireNonNullElseGet(workspace, () -> Path.of("")));
    }

    /** As it is written in the config. */
    Path of(@Nullable String project) {
        return Objects.requireNonNullElse(repositories.folder(project), otherwise);
    }

    /** What it really is, so that one folder has one name whatever links lead to it. */
    public String real(@Nullable String project) {
        return real(of(project));
    }

    static String real(Path folder) {
        try {
            return folder.toRealPath().toString();
        } catch (IOException notHere) {
            return folder.normalize().toString(); // such as one that only WSL knows
        }
    }
}
