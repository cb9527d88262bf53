package dev.holdfast.cli;

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
        invocation.shell().out().println(new FullParser(Commands.ALL).completion());
        return ExitCode.DONE;
    }
}
