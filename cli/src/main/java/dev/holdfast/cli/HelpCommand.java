package dev.holdfast.cli;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.FullParser;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Parameter;

/** Shows help. */
final class HelpCommand implements Command.Action {
    static final Command DEFINITION = Command.define("help", "Show all commands, or how to use one.")
            .parameters(Parameter.any("COMMAND", "The command."))
            .examples("holdfast help", "holdfast help claim", "holdfast help session start")
            .runs(new HelpCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        String help = new FullParser(Commands.CATALOGUE, invocation.shell().width())
                .help(invocation.arguments().parameters());
        invocation.shell().out().print(help);
        return ExitCode.DONE;
    }
}
