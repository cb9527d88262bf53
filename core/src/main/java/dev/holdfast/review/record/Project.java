package dev.holdfast.review.record;

import dev.holdfast.repository.RepositoryKey;
import org.jspecify.annotations.Nullable;

/** The one key of a project, however its name is written. */
public final class Project {
    private Project() {}

    /** The same key as the repository of this name has; empty if there is no name. */
    public static String key(@Nullable String written) {
        return RepositoryKey.of(written);
    }
}
