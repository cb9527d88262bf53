package dev.holdfast.broker.pool.engine;

import dev.holdfast.broker.config.ClosestMatch;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Replaces names in braces, such as {@code {reviewer_id}}, with values. Other braces are left alone. */
final class Placeholders {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z][a-z_]*)}");

    private Placeholders() {}

    static Stream<String> in(String text) {
        return PLACEHOLDER.matcher(text).results().map(found -> found.group(1));
    }

    /** @param where what the text is, for the error message */
    static void refuseUnknown(String where, String text, Set<String> known) {
        in(text).filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new UnusableLaunchException(
                    where + ": no such placeholder {" + name + "}; " + ClosestMatch.hint(name, new TreeSet<>(known)));
        });
    }

    /** Substitutes once: placeholders inside a value stay as they are. */
    static String fill(String text, Map<String, String> values) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found, values)));
    }

    private static String value(MatchResult found, Map<String, String> values) {
        return Objects.requireNonNull(values.get(found.group(1)), "checked before: " + found.group(1));
    }
}
