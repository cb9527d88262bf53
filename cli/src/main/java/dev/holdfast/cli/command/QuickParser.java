package dev.holdfast.cli.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses simple command lines, those that agents run in loops, without picocli, whose startup takes longer than the
 * call itself. It understands less, but never differently: everything else, including help, is left to
 * {@link FullParser}.
 */
public final class QuickParser {
    private QuickParser() {}

    /** Null: not a simple, valid command line. */
    public static @Nullable ParsedCommand parse(List<Command> commands, List<String> words) {
        for (int length = 1; length <= 2 && length <= words.size(); length++) {
            String name = String.join(" ", words.subList(0, length));
            for (Command command : commands) {
                if (command.name().equals(name)) {
                    Arguments arguments = arguments(command, words.subList(length, words.size()));
                    return arguments == null ? null : new ParsedCommand(command, arguments);
                }
            }
        }
        return null;
    }

    private static @Nullable Arguments arguments(Command command, List<String> words) {
        Map<String, List<String>> options = new HashMap<>();
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("-")) {
                parameters.add(word);
                continue;
            }
            int equals = word.indexOf('=');
            Option option = option(command, equals < 0 ? word : word.substring(0, equals));
            if (option == null || (options.containsKey(option.name()) && !option.repeatable())) {
                return null;
            }
            String value = equals >= 0 ? word.substring(equals + 1) : null;
            if (value == null && option.value() != null && i + 1 < words.size()) {
                i++;
                value = words.get(i);
            }
            if (option.value() == null ? value != null : value == null || value.isEmpty() || value.startsWith("-")) {
                return null;
            }
            List<String> values = new ArrayList<>(options.getOrDefault(option.name(), List.of()));
            if (value != null) {
                values.add(value);
            }
            options.put(option.name(), values);
        }
        return fits(command, parameters.size()) ? new Arguments(options, parameters) : null;
    }

    private static @Nullable Option option(Command command, String name) {
        for (Option option : command.options()) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        return null;
    }

    private static boolean fits(Command command, int count) {
        long least = 0;
        long max = 0;
        for (Parameter parameter : command.parameters()) {
            least += parameter.least();
            max += parameter.max();
        }
        return least <= count && count <= max;
    }
}
