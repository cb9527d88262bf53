package dev.holdfast.broker.dashboard.page;

import dev.holdfast.store.Store;
import org.jspecify.annotations.Nullable;

/** What this copy of Holdfast is. */
public final class About {
    private static final @Nullable String RELEASED = About.class.getPackage().getImplementationVersion();

    private About() {}

    public static String version() {
        return RELEASED == null ? "development" : RELEASED;
    }

    public static String engine(Store store) {
        return switch (store.engine()) {
            case SQLITE -> "SQLite";
            case POSTGRES -> "PostgreSQL";
        };
    }
}
