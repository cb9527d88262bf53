package dev.holdfast.cli.command;

import dev.holdfast.cli.broker.ExitCode;
import java.util.List;
import java.util.stream.Stream;

/**
 * One command, defined once: {@link QuickParser}, {@link FullParser}, help and completion all use this definition.
 *
 * @param name one word, or two for a command in a group ({@code session start})
 * @param summary one sentence for the list of commands
 * @param description what to know before using it
 * @param examples whole command lines, without {@code ./}
 */
public record Command(
        String name,
        String summary,
        String description,
        List<Parameter> parameters,
        List<Option> ownOptions,
        List<String> examples,
        Action action) {
    /** Runs the command. Its exit code becomes the program's. */
    public interface Action {
        ExitCode run(Invocation invocation);

        /** Whether it calls the broker that the user names, and can print JSON. */
        default boolean asksTheBroker() {
            return true;
        }
    }

    /** The same command under another name. */
    public Command as(String other) {
        return new Command(other, summary, description, parameters, ownOptions, examples, action);
    }

    /** Its own options and those of every command that calls the broker. */
    public List<Option> options() {
        return action.asksTheBroker()
                ? Stream.concat(ownOptions.stream(), Stream.of(Option.JSON, Option.URL))
                        .toList()
                : ownOptions;
    }
}
