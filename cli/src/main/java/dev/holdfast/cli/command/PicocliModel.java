package dev.holdfast.cli.command;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Describes the commands to picocli. */
final class PicocliModel {
    private PicocliModel() {}

    static CommandSpec of(CommandList list) {
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
                .footer(list.footer().lines().toArray(String[]::new));
        for (Command command : list.commands()) {
            int blank = command.name().indexOf(' ');
            if (blank < 0) {
                root.addSubcommand(command.name(), spec(command));
            } else {
                group(list, root, command.name().substring(0, blank))
                        .addSubcommand(command.name().substring(blank + 1), spec(command));
            }
        }
        return root;
    }

    private static CommandSpec group(CommandList list, CommandSpec root, String name) {
        CommandLine known = root.subcommands().get(name);
        if (known != null) {
            return known.getCommandSpec();
        }
        CommandSpec group = CommandSpec.create().name(name);
        group.addOption(help());
        group.usageMessage().header(list.groups().getOrDefault(name, "")).synopsisSubcommandLabel("COMMAND");
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
        boolean many = parameter.max() > 1;
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

    /** Picocli treats help texts as format strings. */
    private static String escaped(String text) {
        return text.replace("%", "%%");
    }
}
