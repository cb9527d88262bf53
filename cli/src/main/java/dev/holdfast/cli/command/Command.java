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
 * @param exampleLines whole command lines, without {@code ./}
 */
public record Command(
        String name,
        String summary,
        String description,
        List<Parameter> parameters,
        List<Option> ownOptions,
        String exampleLines,
        Action action) {
    /** Runs the command. Its exit code becomes the program's. */
    public interface Action {
        ExitCode run(Invocation invocation);

        /** Whether it calls the broker that the user names, and can print JSON. */
        default boolean asksTheBroker() {
            return true;
        }
    }

    /** A command in the making; what it does comes last. */
    public record Draft(
            String name,
            String summary,
            String description,
            List<Parameter> parameters,
            List<Option> options,
            String examples) {
        public Draft description(String text) {
            return new Draft(name, summary, text, parameters, options, examples);
        }

        public Draft parameters(Parameter... given) {
            return new Draft(name, summary, description, List.of(given), options, examples);
        }

        public Draft options(Option... given) {
            return options(List.of(given));
        }

        public Draft options(List<Option> given) {
            return new Draft(name, summary, description, parameters, given, examples);
        }

        /** @param given each one or several lines */
        public Draft examples(String... given) {
            return new Draft(name, summary, description, parameters, options, String.join("\n", given));
        }

        public Command runs(Action action) {
            return new Command(name, summary, description, parameters, options, examples, action);
        }
    }

    public static Draft define(String name, String summary) {
        return new Draft(name, summary, "", List.of(), List.of(), "");
    }

    /** The same command under another name. */
    public Command as(String other) {
        return new Command(other, summary, description, parameters, ownOptions, exampleLines, action);
    }

    public List<String> examples() {
        return exampleLines.lines().toList();
    }

    /** Its own options and those of every command that calls the broker. */
    public List<Option> options() {
        return action.asksTheBroker()
                ? Stream.concat(ownOptions.stream(), Stream.of(Option.JSON, Option.URL))
                        .toList()
                : ownOptions;
    }
}
