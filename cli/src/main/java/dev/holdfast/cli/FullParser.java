package dev.holdfast.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads any command line with picocli: good messages for wrong ones, help, and completion. */
final class FullParser {
    private final Map<String, Command> commands;
    private final CommandLine line;

    FullParser(List<Command> commands) {
        this.commands = commands.stream().collect(Collectors.toMap(Command::name, command -> command));
        this.line = new CommandLine(root(commands));
        line.setExpandAtFiles(false);
        line.setUsageHelpLongOptionsMaxWidth(28);
    }

    /** What was asked for: a command to run, or a text to print. */
    sealed interface Outcome {
        record Run(Parsed parsed) implements Outcome {}

        /** @param asked false: nothing else could be done with so few words */
        record Print(String text, boolean asked) implements Outcome {}
    }

    Outcome parse(List<String> words) {
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
            Command command = commands.get(nameOf(last));
            boolean asked = levels.stream().anyMatch(ParseResult::isUsageHelpRequested);
            if (asked || command == null) {
                return new Outcome.Print(last.getUsageMessage(Ansi.AUTO), asked);
            }
            return new Outcome.Run(new Parsed(command, arguments(levels)));
        } catch (ParameterException e) {
            throw Failure.invalid(explain(e));
        }
    }

    /** The help of a command or a group; of everything when {@code words} is empty. */
    String help(List<String> words) {
        CommandLine named = line;
        for (String word : words) {
            named = named.getSubcommands().get(word);
            if (named == null) {
                throw Failure.invalid(
                        "there is no command '" + String.join(" ", words) + "'; 'holdfast help' lists them");
            }
        }
        return named.getUsageMessage(Ansi.AUTO);
    }

    /** A script that makes bash and zsh complete commands and options. */
    String completion() {
        return AutoComplete.bash("holdfast", line);
    }

    private static String explain(ParameterException e) {
        StringWriter text = new StringWriter();
        text.append(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> suggestions = unmatched.getSuggestions();
            if (!suggestions.isEmpty()) {
                text.append(". Did you mean ")
                        .append(String.join(" or ", suggestions))
                        .append("?");
            }
        }
        PrintWriter lines = new PrintWriter(text);
        String path = nameOf(e.getCommandLine());
        lines.printf("%nTry 'holdfast %s--help'.", path.isEmpty() ? "" : path + " ");
        return text.toString();
    }

    /** Its name without "holdfast". */
    private static String nameOf(CommandLine line) {
        String whole = line.getCommandSpec().qualifiedName(" ");
        int blank = whole.indexOf(' ');
        return blank < 0 ? "" : whole.substring(blank + 1);
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

    private static CommandSpec root(List<Command> commands) {
        CommandSpec root = CommandSpec.create().name("holdfast");
        root.addOption(help());
        root.addOption(option(Option.JSON));
        root.addOption(option(Option.URL));
        root.addOption(OptionSpec.builder("--version")
                .versionHelp(true)
                .description("Print the version.")
                .build());
        root.usageMessage()
                .header("A work broker for coding agents: who holds what, and until when.")
                .synopsisSubcommandLabel("COMMAND")
                .footer(Commands.FOOTER.lines().toArray(String[]::new));
        for (Command command : commands) {
            int blank = command.name().indexOf(' ');
            if (blank < 0) {
                root.addSubcommand(command.name(), spec(command));
            } else {
                group(root, command.name().substring(0, blank))
                        .addSubcommand(command.name().substring(blank + 1), spec(command));
            }
        }
        return root;
    }

    private static CommandSpec group(CommandSpec root, String name) {
        CommandLine known = root.subcommands().get(name);
        if (known != null) {
            return known.getCommandSpec();
        }
        CommandSpec group = CommandSpec.create().name(name);
        group.addOption(help());
        group.usageMessage().header(Commands.GROUPS.getOrDefault(name, "")).synopsisSubcommandLabel("COMMAND");
        root.addSubcommand(name, group);
        return group;
    }

    private static CommandSpec spec(Command command) {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage(usage(command));
        for (int i = 0; i < command.parameters().size(); i++) {
            spec.addPositional(positional(command.parameters().get(i), i));
        }
        for (Option option : command.options()) {
            spec.addOption(option(option));
        }
        return spec.addOption(help());
    }

    private static UsageMessageSpec usage(Command command) {
        List<String> footer = Stream.concat(
                        Stream.of("", "Examples:"), command.examples().stream().map(example -> "  " + escaped(example)))
                .toList();
        return new UsageMessageSpec()
                .sortOptions(false)
                .header(escaped(command.summary()))
                .description(escaped(command.description()).lines().toArray(String[]::new))
                .footer(command.examples().isEmpty() ? new String[0] : footer.toArray(String[]::new));
    }

    private static PositionalParamSpec positional(Parameter parameter, int index) {
        boolean many = parameter.most() > 1;
        return PositionalParamSpec.builder()
                .paramLabel(parameter.name())
                .index(many ? index + "..*" : String.valueOf(index))
                .arity(many ? "0..*" : parameter.least() + "..1")
                .required(parameter.least() > 0)
                .type(many ? List.class : String.class)
                .auxiliaryTypes(String.class)
                .description(escaped(parameter.description()))
                .build();
    }

    private static OptionSpec option(Option option) {
        OptionSpec.Builder builder = OptionSpec.builder(option.name()).description(escaped(option.description()));
        if (option.value() == null) {
            return builder.arity("0").type(boolean.class).build();
        }
        return builder.arity("1")
                .paramLabel(option.value())
                .type(option.repeatable() ? List.class : String.class)
                .auxiliaryTypes(String.class)
                .build();
    }

    private static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build();
    }

    /** Texts of help are format strings to picocli. */
    private static String escaped(String text) {
        return text.replace("%", "%%");
    }
}
