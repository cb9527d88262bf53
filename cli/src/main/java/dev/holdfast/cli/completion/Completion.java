package dev.holdfast.cli.completion;

import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the possible words at the cursor, from the same definitions that the parsers and help use. */
public final class Completion {
    private final List<Command> commands;
    private final Map<String, String> groups;
    private final Values values;

    /** @param groups the first words of two-word commands, each with its purpose */
    public Completion(List<Command> commands, Map<String, String> groups, Values values) {
        this.commands = commands;
        this.groups = groups;
        this.values = values;
    }

    /** @param words typed after the program's name; the last one is at the cursor and may be empty */
    public List<String> lines(List<String> words) {
        String current = words.isEmpty() ? "" : words.getLast();
        List<String> before = words.isEmpty() ? List.of() : words.subList(0, words.size() - 1);
        return candidates(before, current)
                .filter(each -> each.equals(Candidate.FILES) || (each.word().startsWith(current) && each.isPlain()))
                .map(Candidate::line)
                .distinct()
                .toList();
    }

    private Stream<Candidate> candidates(List<String> before, String current) {
        for (int length = 2; length > 0; length--) {
            if (before.size() >= length) {
                String name = String.join(" ", before.subList(0, length));
                for (Command command : commands) {
                    if (command.name().equals(name)) {
                        return inside(command, before.subList(length, before.size()), current);
                    }
                }
            }
        }
        return names(before);
    }

    /** The possible next words of commands that begin with these. */
    private Stream<Candidate> names(List<String> before) {
        String begun = before.isEmpty() ? "" : String.join(" ", before) + " ";
        return commands.stream().filter(each -> each.name().startsWith(begun)).map(each -> {
            String rest = each.name().substring(begun.length());
            int blank = rest.indexOf(' ');
            return blank < 0
                    ? new Candidate(rest, each.summary())
                    : new Candidate(rest.substring(0, blank), groups.getOrDefault(rest.substring(0, blank), ""));
        });
    }

    private Stream<Candidate> inside(Command command, List<String> before, String current) {
        Set<String> given = new HashSet<>();
        List<String> parameters = new ArrayList<>();
        Option open = null;
        for (String word : before) {
            if (open != null) {
                open = null;
            } else if (word.startsWith("-")) {
                given.add(word);
                open = option(command, word);
            } else {
                parameters.add(word);
            }
        }
        if (open != null) {
            return values.of(command, open, current);
        }
        int equals = current.indexOf('=');
        if (current.startsWith("-") && equals > 0) {
            String name = current.substring(0, equals);
            Option named = option(command, name);
            return named == null
                    ? Stream.empty()
                    : values.of(command, named, current.substring(equals + 1))
                            .filter(each -> !each.equals(Candidate.FILES))
                            .map(each -> new Candidate(name + "=" + each.word(), each.about()));
        }
        Stream<Candidate> options = options(command, given);
        if (current.startsWith("-")) {
            return options;
        }
        Parameter parameter = parameter(command, parameters.size());
        return parameter == null ? options : values.of(command, parameter, parameters, current);
    }

    private static Stream<Candidate> options(Command command, Set<String> given) {
        return command.options().stream()
                .filter(option -> option.repeatable() || !given.contains(option.name()))
                .map(option -> new Candidate(option.name(), option.description()));
    }

    /** An option that still needs its value; a switch needs none, and one with = has it. */
    private static @Nullable Option option(Command command, String word) {
        for (Option option : command.options()) {
            if (option.value() != null && option.name().equals(word)) {
                return option;
            }
        }
        return null;
    }

    private static @Nullable Parameter parameter(Command command, int index) {
        List<Parameter> all = command.parameters();
        if (index < all.size()) {
            return all.get(index);
        }
        return !all.isEmpty() && all.getLast().max() > 1 ? all.getLast() : null;
    }
}
