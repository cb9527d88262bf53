package dev.holdfast.broker.pool;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.pool.engine.Platform;
import dev.holdfast.broker.pool.engine.Wsl;
import dev.holdfast.git.SearchPath;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Ends those processes of a reviewer that this system's process list does not show. */
public interface RemoteTermination {
    /** Everything runs on this system. */
    RemoteTermination HERE = (_, _) -> true;

    /**
     * Asks the processes to end, waits for the grace period, then kills them.
     *
     * @return whether none is left
     */
    boolean end(String reviewer, Duration grace);

    /** For reviewers that run as configured. */
    static RemoteTermination of(@Nullable PoolConfig config) {
        Platform platform =
                config == null ? new Platform.Native() : Engines.platform(config, System.getProperty("os.name", ""));
        return switch (platform) {
            case Platform.Native _ -> HERE;
            case Wsl wsl -> new InsideWsl(wsl::argv, SearchPath.of(System.getenv()));
        };
    }
}
