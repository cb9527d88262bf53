package dev.holdfast.cli.command;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.terminal.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options and parameters given to a command, as text.
 *
 * @param options by name; a given switch has an empty list
 */
public record Arguments(Map<String, List<String>> options, List<String> parameters) {
    public boolean has(String option) {
        return options.containsKey(option);
    }

    public List<String> all(String option) {
        return options.getOrDefault(option, List.of());
    }

    public @Nullable String text(String option) {
        List<String> values = all(option);
        return values.isEmpty() ? null : values.getLast();
    }

    public @Nullable Long number(String option) {
        String text = text(option);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw Failure.invalid(option + " needs a whole number, not '" + text + "'");
        }
    }

    public @Nullable Duration duration(String option) {
        String text = text(option);
        try {
            return text == null ? null : DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(option + " needs a duration such as 90, 90s, 45m, 2h or 1d, not '" + text + "'");
        }
    }

    public @Nullable String parameter(int index) {
        return index < parameters.size() ? parameters.get(index) : null;
    }
}
