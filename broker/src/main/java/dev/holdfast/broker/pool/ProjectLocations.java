package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.Launcher.Place;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.review.record.Project;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places of all projects with pending reviews, looked up once per check of the pool, so that no transaction waits
 * for the disk. Projects that get pending reviews later wait for the next check.
 */
final class ProjectLocations {
    private final Map<String, Place> byKey;
    private final Map<String, String> folders = new HashMap<>();

    private ProjectLocations(Map<String, Place> byKey) {
        this.byKey = byKey;
        byKey.forEach((key, place) -> {
            if (place.folder() != null) {
                folders.put(key, place.folder());
            }
        });
    }

    static ProjectLocations of(PoolSituation now, Launcher launcher) {
        Map<String, Place> byKey = new HashMap<>();
        now.pending()
                .forEach(pending -> byKey.computeIfAbsent(
                        pending.key(), key -> launcher.place(key.isEmpty() ? null : pending.project())));
        return new ProjectLocations(byKey);
    }

    /** Groups the pending reviews by what reviewers are bound to. */
    PoolSituation group(PoolSituation now) {
        return folders.isEmpty() ? now.only(byKey.keySet()) : now.byFolder(folders);
    }

    /** The place of a project that {@link #group} kept. */
    Place of(@Nullable String project) {
        return Objects.requireNonNull(byKey.get(Project.key(project)));
    }
}
