package dev.holdfast.task;

import java.util.Locale;

/** Who ends a task when its steps are done. */
public enum Finalizer {
    /** A broker, automatically. */
    BROKER,
    /** A processor or an agent that claims the finalization. */
    EXTERNAL;

    public static Finalizer of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
