package dev.holdfast.review.record;

import dev.holdfast.claim.InvalidException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list.
 *
 * @param next the cursor of the next part; null if this is the last
 */
public record Page<T>(List<T> entries, @Nullable String next) {
    /** At most this many, starting where the last part ended. */
    public record Request(int limit, @Nullable String cursor) {
        public static final Request ALL = new Request(Integer.MAX_VALUE - 1, null);

        /** The two numbers of the cursor, or these defaults if there is none. */
        public long[] position(long first, long second) {
            if (cursor == null) {
                return new long[] {first, second};
            }
            try {
                String[] parts = cursor.split("\\.", -1);
                return new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[parts.length - 1])};
            } catch (NumberFormatException _) {
                throw new InvalidException("cursor is not from this list: " + Excerpt.of(cursor, 40));
            }
        }

        /** One more than the limit, to see whether there is more. */
        public int oneMore() {
            return limit + 1;
        }
    }

    public static <T> Page<T> of(List<T> found, Request asked, Function<T, String> cursor) {
        return found.size() > asked.limit()
                ? new Page<>(List.copyOf(found.subList(0, asked.limit())), cursor.apply(found.get(asked.limit() - 1)))
                : new Page<>(found, null);
    }
}
