package dev.holdfast.broker.verb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A field that a result has only if there is a value. */
public final class Present {
    private Present() {}

    /** A flag that stands in the answer when it is set. */
    public static @Nullable Boolean ifTrue(boolean flag) {
        return flag ? Boolean.TRUE : null;
    }

    /** A list that stands in the answer when something is in it. */
    public static <T> @Nullable List<T> ifAny(List<T> list) {
        return list.isEmpty() ? null : list;
    }
}
