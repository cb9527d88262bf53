package dev.holdfast.broker.pool;

import dev.holdfast.broker.auth.Token;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.pool.engine.Engine;
import dev.holdfast.broker.pool.engine.Platform;
import dev.holdfast.broker.pool.engine.Prompt;
import dev.holdfast.broker.pool.engine.Seat;
import dev.holdfast.broker.pool.engine.UnusableSeatException;
import dev.holdfast.review.PoolReviewer;
import dev.holdfast.review.Project;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts reviewers as the config says. */
final class Launcher {
    private final PoolConfig config;
    private final Engine engine;
    private final Platform platform;
    private final Reach reach;
    private final Prompt prompt;
    private final ProjectFolders folders;
    private final Map<String, String> environment;

    /**
     * @param environment the broker's own
     * @throws UnusableSeatException when the config or the prompt can't be used; found at the start, not at the first
     *     review
     */
    Launcher(PoolConfig config, ProjectFolders folders, Map<String, String> environment) {
        this.config = config;
        this.folders = folders;
        this.environment = environment;
        platform = Engines.platform(config, System.getProperty("os.name", ""));
        reach = Reach.of(config);
        engine = Engines.of(config, platform);
        prompt = config.prompt() == null ? Prompt.builtIn() : Prompt.read(config.prompt());
    }

    String engine() {
        return engine.name();
    }

    /**
     * Where a reviewer is to work, and what it is bound to.
     *
     * @param project the only one it reviews; null: any
     * @param folder it reviews whatever projects are there; null: wherever they are
     */
    record Place(
            @Nullable String project,
            Path workspace,
            @Nullable String folder) {}

    /** Where a reviewer that this project needs works; null: any project, or one without a name. */
    Place place(@Nullable String project) {
        return switch (config.workspace().scope()) {
            case FOLDER -> {
                Path workspace = folders.of(project);
                yield new Place(null, workspace, ProjectFolders.real(workspace));
            }
            case PROJECT ->
                new Place(project, project == null ? config.workspace().path() : folders.of(project), null);
        };
    }

    ReviewerProcess start(PoolReviewer.New reviewer, Token token, URI mcp, ReviewerLog log) throws IOException {
        Path workspace = Path.of(reviewer.workspace());
        if (reviewer.folder() != null && !reviewer.folder().equals(ProjectFolders.real(workspace))) {
            throw new UnusableSeatException(workspace + " is not " + reviewer.folder() + " any more");
        }
        String key = Project.key(reviewer.project());
        Seat seat = new Seat(
                reviewer.id(),
                reviewer.displayName(),
                key.isEmpty() ? null : key,
                mcp,
                token.text(),
                workspace,
                config.model().name(),
                config.model().effort(),
                prompt.of(reviewer.id(), reviewer.displayName(), reviewer.project(), platform.path(workspace)));
        return ReviewerProcess.start(reviewer.id(), engine.launch(seat), environment, reach, log);
    }
}
