package dev.holdfast.review.record;

import dev.holdfast.repository.RepositoryKey;
import org.jspecify.annotations.Nullable;

/** The one key by which a project is known, however it is written. */
public final class Project {
    private Project() {}

    /** As that of the repository of this name; empty when there is no name. */
    public static String key(@Nullable String written) {
        return RepositoryKey.of(written);
    }
}
