package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.pool.engine.Platform;
import dev.holdfast.broker.pool.engine.Wsl;
import dev.holdfast.git.SearchPath;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Ends what a reviewer runs where this system's own process list does not reach. */
public interface RemoteTermination {
    /** There is nothing beyond this system. */
    RemoteTermination HERE = (_, _) -> true;

    /**
     * Asks them to end, gives them time, and then does not ask any more.
     *
     * @return whether none is left
     */
    boolean end(String reviewer, Duration grace);

    /** Of reviewers that run as configured. */
    static RemoteTermination of(@Nullable PoolConfig config) {
        Platform platform =
                config == null ? new Platform.Native() : Engines.platform(config, System.getProperty("os.name", ""));
        return switch (platform) {
            case Platform.Native _ -> HERE;
            case Wsl wsl -> new InsideWsl(wsl::argv, SearchPath.of(System.getenv()));
        };
    }
}
