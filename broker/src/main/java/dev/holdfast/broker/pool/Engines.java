package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.pool.engine.Claude;
import dev.holdfast.broker.pool.engine.Codex;
import dev.holdfast.broker.pool.engine.Command;
import dev.holdfast.broker.pool.engine.Platform;
import dev.holdfast.broker.pool.engine.ReviewerEngine;
import dev.holdfast.broker.pool.engine.RuleReviewers;
import dev.holdfast.broker.pool.engine.UnusableLaunchException;
import dev.holdfast.broker.pool.engine.Wsl;
import dev.holdfast.broker.pool.engine.WslPath;
import dev.holdfast.git.SearchPath;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;

/** Creates the engine that the config names. */
final class Engines {
    private Engines() {}

    /** @throws UnusableLaunchException when the config asks for something the engine cannot do */
    static ReviewerEngine of(PoolConfig config, Platform platform) {
        PoolConfig.Engine engine = config.engine();
        Set<String> handedOn = engine.environment();
        String program = Objects.requireNonNullElse(engine.program(), engine.name());
        refuseRelative("program", program);
        engine.command().stream().limit(1).forEach(word -> refuseRelative("command", word));
        return switch (engine.name()) {
            case "codex" -> new Codex(program, config.model().settings(), handedOn, platform);
            case "claude" -> new Claude(program, handedOn);
            case "rules" -> new RuleReviewers(engine.rulesOff());
            case "command" -> new Command(engine.command(), handedOn);
            default -> throw new UnusableLaunchException("engine: there is no " + engine.name());
        };
    }

    /**
     * Reviewers run in the folder that they review, so a relative path would run a program from the code under review.
     */
    private static void refuseRelative(String key, String program) {
        boolean path = program.contains("/") || program.contains("\\");
        if (path && !program.startsWith("/") && !Path.of(program).isAbsolute()) {
            throw new UnusableLaunchException(key + ": " + program
                    + " would be looked for in the workspace under review; give its full path, or a name on the PATH");
        }
    }

    /** Codex runs inside WSL on Windows; everything else runs natively. */
    static Platform platform(PoolConfig config, String system) {
        PoolConfig.Workspace workspace = config.workspace();
        return Platform.isWindows(system) && config.engine().name().equals("codex")
                ? new Wsl(
                        workspace.wslDistro(),
                        workspace.path(),
                        workspace.inWsl(),
                        new WslPath(SearchPath.of(System.getenv())))
                : new Platform.Native();
    }
}
