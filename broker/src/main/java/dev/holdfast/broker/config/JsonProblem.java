package dev.holdfast.broker.config;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** What is wrong with a text that should be JSON, without what only the library's programmers understand. */
public final class JsonProblem {
    /** Where the library's settings are, and whether it would show the text. */
    private static final Pattern INTERNAL = Pattern.compile(", from `[^`]*`|\\s*\\(start marker at \\[Source:[^]]*]\\)"
            + "|\\s*\\[Source:[^]]*]|\\s*\\(through reference chain:[^)]*\\)");

    private JsonProblem() {}

    public static String of(JacksonException e) {
        return INTERNAL.matcher(String.valueOf(e.getOriginalMessage()))
                .replaceAll("")
                .strip();
    }
}
