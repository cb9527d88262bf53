package dev.holdfast.broker.verb;

import dev.holdfast.claim.Text;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How lists are asked for piece by piece: so many, and from where the last piece ended. */
record Pages(int longest) {
    static final Field CURSOR = Field.text("cursor", Text.LONGEST_HOLDER, "next_cursor of the previous page");

    static final Field NEXT_CURSOR =
            Field.text("next_cursor", Text.LONGEST_HOLDER, "pass this as cursor for the next page");

    private static final int USUAL = 100;

    /** Of the lists that are whole unless part of them is asked for. */
    Field limitOrAll(String what) {
        return Field.integer("limit", 1L, (long) longest, "so many " + what + " at most; left out: all");
    }

    Field limit(String what) {
        return Field.integer("limit", 1L, (long) longest, "so many " + what + " at most; left out: " + usual());
    }

    int limit(Arguments given) {
        return (int) given.number("limit", usual());
    }

    private int usual() {
        return Math.min(USUAL, longest);
    }

    static String cursor(Arguments given) {
        String cursor = given.textOrNull("cursor");
        return cursor == null ? "" : cursor;
    }

    /** Of one more id than was asked for, the last of the page is where the next one goes on. */
    static void putNext(Map<String, @Nullable Object> json, List<String> ids, int limit) {
        if (ids.size() > limit) {
            json.put("next_cursor", ids.get(limit - 1));
        }
    }
}
