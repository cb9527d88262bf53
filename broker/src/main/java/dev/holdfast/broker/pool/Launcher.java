package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.pool.engine.LaunchSpec;
import dev.holdfast.broker.pool.engine.Platform;
import dev.holdfast.broker.pool.engine.Prompt;
import dev.holdfast.broker.pool.engine.ReviewerEngine;
import dev.holdfast.broker.pool.engine.UnusableLaunchException;
import dev.holdfast.broker.token.Token;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.record.Project;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts reviewers as configured. */
final class Launcher {
    private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);

    private final PoolConfig config;
    private final ReviewerEngine engine;
    private final Platform platform;
    private final RemoteTermination termination;
    private final ProjectFolders folders;
    private final Map<String, String> environment;
    /** The missing tools that were last logged. */
    private final AtomicReference<Set<String>> reported = new AtomicReference<>(Set.of());

    /**
     * @param environment the broker's own
     * @throws UnusableLaunchException when the config cannot be used; thrown at startup rather than at the first review
     */
    Launcher(PoolConfig config, ProjectFolders folders, Map<String, String> environment) {
        this.config = config;
        this.folders = folders;
        this.environment = environment;
        platform = Engines.platform(config, System.getProperty("os.name", ""));
        termination = RemoteTermination.of(config);
        engine = Engines.of(config, platform);
        trouble().ifPresent(reason -> LOG.warn("no reviewers are started: {}", reason));
    }

    /** Why no reviewer can be started now, if there is a reason. The prompt file may break or be fixed at any time. */
    Optional<String> trouble() {
        try {
            prompt();
            return Optional.empty();
        } catch (UnusableLaunchException e) {
            return Optional.of("prompt_template_path: " + e.getMessage());
        }
    }

    /** Read again for every reviewer. */
    private Prompt prompt() {
        Path file = config.prompt();
        if (file == null) {
            return Prompt.builtIn();
        }
        Prompt read = Prompt.read(file);
        Set<String> missing = read.missingTools();
        if (!missing.equals(reported.getAndSet(missing)) && !missing.isEmpty()) {
            LOG.warn(
                    "{} names tools that reviewers do not have: {}; they have the review tools of the server {{server}}",
                    file,
                    String.join(", ", missing));
        }
        return read;
    }

    String engine() {
        return engine.name();
    }

    /**
     * Where a reviewer works, and what it is bound to.
     *
     * @param project the only project it reviews; null: any
     * @param folder the folder whose projects it reviews; null: any folder
     */
    record Place(
            @Nullable String project,
            Path workspace,
            @Nullable String folder) {}

    /** The place of a reviewer for this project; null: for any project, or for reviews without one. */
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
            throw new UnusableLaunchException(workspace + " is no longer " + reviewer.folder());
        }
        String key = Project.key(reviewer.project());
        LaunchSpec spec = new LaunchSpec(
                reviewer.id(),
                reviewer.displayName(),
                key.isEmpty() ? null : key,
                mcp,
                token.text(),
                workspace,
                config.model().name(),
                config.model().effort(),
                prompt().of(reviewer.id(), reviewer.displayName(), reviewer.project(), platform.path(workspace)));
        return ReviewerProcess.start(reviewer.id(), engine.launch(spec), environment, termination, log);
    }
}
