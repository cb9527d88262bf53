package dev.holdfast.cli;

import java.util.List;

/** Commands that the launcher runs by itself. They stand here so that help shows everything there is. */
record Launched(String name) implements Command.Action {
    static final Command SERVE = command(
            "serve",
            "Run the broker.",
            "Prints one line when it is ready. Without --database it keeps its data in a SQLite file in its data folder."
                    + " 'holdfast serve --help' tells more.",
            List.of("holdfast serve", "holdfast serve --port 9000 --data /var/lib/holdfast"));
    static final Command TEST = command(
            "test",
            "Run everything a change to Holdfast must pass. Only in the source tree.",
            "",
            List.of("holdfast test"));
    static final Command BENCH = command("bench", "Measure. Only in the source tree.", "", List.of("holdfast bench"));

    private static Command command(String name, String summary, String description, List<String> examples) {
        return new Command(
                name,
                summary,
                description,
                List.of(Parameter.any("ARGUMENT", "Passed on.")),
                List.of(),
                examples,
                new Launched(name));
    }

    @Override
    public ExitCode run(Invocation invocation) {
        throw Failure.invalid("'" + name + "' is run by the launcher: ./holdfast " + name);
    }
}
