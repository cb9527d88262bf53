package dev.holdfast.broker.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** What is wrong with a text that should be JSON, without what only the library's programmers understand. */
public final class JsonProblem {
    /** Where the library's settings are, and whether it would show the text. */
    private static final Pattern INTERNAL = Pattern.compile(", from `[^`]*`|\\s*\\(start marker at \\[Source:[^]]*]\\)"
            + "|\\s*\\[Source:[^]]*]|\\s*\\(through reference chain:[^)]*\\)");

    private JsonProblem() {}

    /** Where it is, such as " in line 3, column 7"; nothing for some limits, which are found exceeded without a place. */
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
