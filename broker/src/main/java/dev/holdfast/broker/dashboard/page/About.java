package dev.holdfast.broker.dashboard.page;

import dev.holdfast.store.Store;
import org.jspecify.annotations.Nullable;

/** Which version of Holdfast this is, and which kind of store it uses. */
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
