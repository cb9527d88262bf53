package dev.holdfast.cli.command;

import dev.holdfast.cli.broker.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Parses any command line with picocli: good error messages, help, and completion. */
public final class FullParser {
    private static final int USUAL = 80;
    private static final int NARROWEST = 55; // picocli's limit
    private static final int WIDEST = 100;

    private final Map<String, Command> commands;
    private final CommandLine line;
    private final IntSupplier width;

    /** For help that goes to a pipe or a file. */
    public FullParser(CommandList list) {
        this(list, () -> 0);
    }

    /** @param width columns of the terminal, only asked for help; 0: no terminal */
    public FullParser(CommandList list, IntSupplier width) {
        this.width = width;
        this.commands = list.commands().stream().collect(Collectors.toMap(Command::name, command -> command));
        this.line = new CommandLine(PicocliModel.of(list));
        line.setExpandAtFiles(false);
    }

    /** The result: a command to run, or a text to print. */
    public sealed interface Outcome {
        record Run(ParsedCommand parsed) implements Outcome {}

        /** @param asked whether the user asked for it; false: the words were not enough for a command */
        record Print(String text, boolean asked) implements Outcome {}
    }

    public Outcome parse(List<String> words) {
        try {
            List<ParseResult> levels = new ArrayList<>();
            for (ParseResult level = line.parseArgs(words.toArray(String[]::new));
                    level != null;
                    level = level.hasSubcommand() ? level.subcommand() : null) {
                levels.add(level);
            }
            if (levels.stream().anyMatch(ParseResult::isVersionHelpRequested)) {
                return new Outcome.Print("holdfast " + Version.current() + System.lineSeparator(), true);
            }
            CommandLine last = levels.getLast().commandSpec().commandLine();
            Command command = commands.get(UsageErrors.nameOf(last));
            boolean asked = levels.stream().anyMatch(ParseResult::isUsageHelpRequested);
            if (asked || command == null) {
                return new Outcome.Print(usage(last), asked);
            }
            return new Outcome.Run(new ParsedCommand(command, arguments(levels)));
        } catch (ParameterException e) {
            throw Failure.invalid(UsageErrors.explain(e));
        }
    }

    private String usage(CommandLine asked) {
        int columns = width.getAsInt();
        line.setUsageHelpWidth(columns == 0 ? USUAL : Math.clamp(columns, NARROWEST, WIDEST));
        line.setUsageHelpLongOptionsMaxWidth(columns == 0 || columns >= USUAL ? 28 : 20);
        return asked.getUsageMessage(Ansi.AUTO);
    }

    /** The help for a command or a group; for everything when {@code words} is empty. */
    public String help(List<String> words) {
        CommandLine named = line;
        for (String word : words) {
            Set<String> known = named.getSubcommands().keySet();
            named = named.getSubcommands().get(word);
            if (named == null) {
                throw Failure.invalid("unknown command '" + String.join(" ", words) + "'"
                        + ClosestMatch.to(word, known)
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse(".")
                        + " Run 'holdfast help' for a list.");
            }
        }
        return usage(named);
    }

    private static Arguments arguments(List<ParseResult> levels) {
        Map<String, List<String>> options = new HashMap<>();
        for (ParseResult level : levels) {
            for (OptionSpec option : level.matchedOptions()) {
                boolean isSwitch = option.arity().max() == 0;
                options.put(option.longestName(), isSwitch ? List.of() : List.copyOf(option.originalStringValues()));
            }
        }
        List<String> parameters = levels.getLast().matchedPositionals().stream()
                .distinct()
                .flatMap(positional -> positional.originalStringValues().stream())
                .toList();
        return new Arguments(options, parameters);
    }
}
