package dev.holdfast.broker.verb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields that a result has only if there is a value. */
public final class Present {
    private Present() {}

    /** A flag that is only in the answer when set. */
    public static @Nullable Boolean ifTrue(boolean flag) {
        return flag ? Boolean.TRUE : null;
    }

    /** A list that is only in the answer when not empty. */
    public static <T> @Nullable List<T> ifAny(List<T> list) {
        return list.isEmpty() ? null : list;
    }
}
