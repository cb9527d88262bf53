package dev.holdfast.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was given to a command, as texts.
 *
 * @param options by name; a switch that was given has an empty list
 */
record Arguments(Map<String, List<String>> options, List<String> parameters) {
    boolean has(String option) {
        return options.containsKey(option);
    }

    List<String> all(String option) {
        return options.getOrDefault(option, List.of());
    }

    @Nullable
    String text(String option) {
        List<String> values = all(option);
        return values.isEmpty() ? null : values.getLast();
    }

    @Nullable
    Long number(String option) {
        String text = text(option);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw Failure.invalid(option + " needs a whole number, not '" + text + "'");
        }
    }

    @Nullable
    Duration duration(String option) {
        String text = text(option);
        try {
            return text == null ? null : Span.parse(text);
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(option + " needs a duration such as 90, 90s, 45m or 2h, not '" + text + "'");
        }
    }

    @Nullable
    String parameter(int index) {
        return index < parameters.size() ? parameters.get(index) : null;
    }
}
