package dev.holdfast.cli;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.completion.Completion;
import dev.holdfast.cli.completion.Script;
import dev.holdfast.cli.completion.Values;
import dev.holdfast.cli.terminal.Shell;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Prints a completion script for a shell, and answers that script's requests. */
final class CompletionCommand implements Command.Action {
    static final Command DEFINITION = Command.define("completion", "Print a completion script for bash, zsh or fish.")
            .description(
                    "It completes commands, options and values: ids of reviews, work items and tasks, what you hold, queues, projects, agents.")
            .parameters(Parameter.required("SHELL", "bash, zsh or fish."))
            .examples("""
            holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast
            holdfast completion fish > ~/.config/fish/completions/holdfast.fish
            source <(holdfast completion zsh)""")
            .runs(new CompletionCommand());

    /** What the scripts call; not a command, so that help and the parsers do not know it. */
    static final String ASKED = "__complete";

    /** Nobody waits longer for completions after pressing tab. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Override
    public ExitCode run(Invocation invocation) {
        String shell = invocation.parameter(0, "SHELL");
        Script script = Script.of(shell)
                .orElseThrow(() -> Failure.invalid("completion supports bash, zsh and fish, not '" + shell + "'"));
        invocation.shell().out().print(script.text());
        return ExitCode.DONE;
    }

    @Override
    public boolean asksTheBroker() {
        return false;
    }

    /** Prints the possible words at the cursor; nothing, if they cannot be found quickly. */
    static ExitCode answer(Shell shell, List<String> words) {
        Invocation invocation = new Invocation(new Arguments(Map.of(), List.of()), shell);
        AtomicReference<List<String>> found = new AtomicReference<>(List.of());
        Thread asking = Thread.ofVirtual().start(() -> {
            try {
                Values values = new Values(Commands.ALL, invocation.broker(), invocation::holder);
                found.set(new Completion(Commands.ALL, Commands.CATALOGUE.groups(), values).lines(words));
            } catch (Failure none) {
                // no broker, or none that answers: the shell offers nothing
            }
        });
        try {
            if (asking.join(PATIENCE)) {
                found.get().forEach(shell.out()::println);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.DONE;
    }
}
