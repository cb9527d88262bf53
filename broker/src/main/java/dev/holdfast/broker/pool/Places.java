package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.Launcher.Place;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.review.record.Project;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the projects that have something pending are, looked up once for one look at the pool: the disk is not asked
 * while a transaction is open. What becomes pending later is for the next look.
 */
final class Places {
    private final Map<String, Place> byKey;
    private final Map<String, String> folders = new HashMap<>();

    private Places(Map<String, Place> byKey) {
        this.byKey = byKey;
        byKey.forEach((key, place) -> {
            if (place.folder() != null) {
                folders.put(key, place.folder());
            }
        });
    }

    static Places of(PoolSituation now, Launcher launcher) {
        Map<String, Place> byKey = new HashMap<>();
        now.pending()
                .forEach(pending -> byKey.computeIfAbsent(
                        pending.key(), key -> launcher.place(key.isEmpty() ? null : pending.project())));
        return new Places(byKey);
    }

    /** What waits, counted by what reviewers are bound to. */
    PoolSituation group(PoolSituation now) {
        return folders.isEmpty() ? now.only(byKey.keySet()) : now.byFolder(folders);
    }

    /** Of one that {@link #group} left in. */
    Place of(@Nullable String project) {
        return Objects.requireNonNull(byKey.get(Project.key(project)));
    }
}
