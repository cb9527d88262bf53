package dev.holdfast.cli;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.FullParser;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Parameter;
import java.util.List;

/** Shows help. */
final class HelpCommand implements Command.Action {
    static final Command DEFINITION = new Command(
            "help",
            "Show all commands, or how to use one.",
            "",
            List.of(Parameter.any("COMMAND", "The command.")),
            List.of(),
            List.of("holdfast help", "holdfast help claim", "holdfast help session start"),
            new HelpCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        String help = new FullParser(Commands.CATALOGUE, invocation.shell().width())
                .help(invocation.arguments().parameters());
        invocation.shell().out().print(help);
        return ExitCode.DONE;
    }
}
