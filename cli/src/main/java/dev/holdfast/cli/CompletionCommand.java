package dev.holdfast.cli;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.FullParser;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Parameter;
import java.util.List;

/** Prints a script for the shell. */
final class CompletionCommand implements Command.Action {
    static final Command DEFINITION = new Command(
            "completion",
            "Print a completion script for bash or zsh.",
            "",
            List.of(Parameter.required("SHELL", "bash or zsh.")),
            List.of(),
            List.of(
                    "holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast",
                    "source <(holdfast completion zsh)"),
            new CompletionCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        String shell = invocation.parameter(0, "SHELL");
        if (!List.of("bash", "zsh").contains(shell)) {
            throw Failure.invalid("completion supports bash and zsh, not '" + shell + "'");
        }
        // One script serves both: in zsh it loads bashcompinit.
        invocation.shell().out().println(new FullParser(Commands.CATALOGUE).completion());
        return ExitCode.DONE;
    }
}
