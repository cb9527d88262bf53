package dev.holdfast.cli.command;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.terminal.Shell;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a command that prints messages instead of a broker's answer. With {@code --json} it prints one document with
 * these lines.
 */
public record Messages(Command.Action action) implements Command.Action {
    @Override
    public ExitCode run(Invocation invocation) {
        if (!invocation.arguments().has("--json")) {
            return action.run(invocation);
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Shell shell = invocation.shell();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        Shell heard =
                new Shell(shell.environment(), shell.in(), out, shell.err(), () -> 0, shell.clock(), shell.folder());
        ExitCode exitCode = action.run(new Invocation(invocation.arguments(), heard));
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("done", exitCode == ExitCode.DONE);
        document.put(
                "messages",
                said.toString(StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> !line.isBlank())
                        .toList());
        invocation.printDocument(Json.write(document));
        return exitCode;
    }
}
