package dev.holdfast.broker.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** Describes what is wrong with a JSON text, without the library's internals. */
public final class JsonProblem {
    /** The parts of a message about the library's own settings and its source text. */
    private static final Pattern INTERNAL = Pattern.compile(", from `[^`]*`|\\s*\\(start marker at \\[Source:[^]]*]\\)"
            + "|\\s*\\[Source:[^]]*]|\\s*\\(through reference chain:[^)]*\\)");

    private JsonProblem() {}

    /**
     * Where the problem is, such as " in line 3, column 7"; empty for some limits that are reported without a position.
     */
    public static String place(JacksonException e) {
        @Nullable TokenStreamLocation place = e.getLocation();
        return place == null ? "" : " in line " + place.getLineNr() + ", column " + place.getColumnNr();
    }

    public static String of(JacksonException e) {
        return INTERNAL.matcher(String.valueOf(e.getOriginalMessage()))
                .replaceAll("")
                .strip();
    }
}
