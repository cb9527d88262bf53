package dev.holdfast.broker.pool;

import dev.holdfast.broker.auth.Token;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.git.Repositories;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Starts reviewers as the config says. */
final class Launcher {
    private final PoolConfig config;
    private final Engine engine;
    private final Platform platform;
    private final Reach reach;
    private final Prompt prompt;
    private final Repositories repositories;
    private final Map<String, String> environment;

    /**
     * @param environment the broker's own
     * @throws UnusableSeatException when the config or the prompt can't be used; found at the start, not at the first
     *     review
     */
    Launcher(PoolConfig config, Repositories repositories, Map<String, String> environment) {
        this.config = config;
        this.repositories = repositories;
        this.environment = environment;
        platform = Engines.platform(config, System.getProperty("os.name", ""));
        reach = Reach.of(config);
        engine = Engines.of(config, platform);
        prompt = config.prompt() == null ? Prompt.builtIn() : Prompt.read(config.prompt());
    }

    String engine() {
        return engine.name();
    }

    /** Where a reviewer of this project works; null: of any. */
    Path workspace(@Nullable String project) {
        return project == null
                ? config.workspace().path()
                : Objects.requireNonNullElse(
                        repositories.folder(project), config.workspace().path());
    }

    ReviewerProcess start(PoolReviewer.New reviewer, Token token, URI mcp, ReviewerLog log) throws IOException {
        Path workspace = Path.of(reviewer.workspace());
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
