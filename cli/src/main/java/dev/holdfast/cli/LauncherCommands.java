package dev.holdfast.cli;

import java.util.List;

/** Commands that the launcher runs by itself. They stand here so that help shows everything there is. */
record LauncherCommands(String name) implements Command.Action {
    static final Command SERVE = new Command(
            "serve",
            "Run the broker.",
            "Prints one line when it is ready. Ctrl-C or SIGTERM stops it cleanly.",
            List.of(),
            List.of(
                    Option.of("--host", "HOST", "The address to listen on. Default: 127.0.0.1."),
                    Option.of("--port", "N", "The port. Default: 8321; 0 picks a free one."),
                    Option.of("--data", "DIR", "The folder of its SQLite file. Default: your data folder."),
                    Option.of("--database", "URL", "PostgreSQL instead of SQLite."),
                    Option.of("--config", "FILE", "Its settings."),
                    Option.flag("--background", "Nothing of this folder counts. Hooks and 'mcp --start' say this.")),
            List.of("holdfast serve", "holdfast serve --port 9000 --data /var/lib/holdfast"),
            new LauncherCommands("serve"));

    static final Command TRUST = new Command(
            "trust",
            "Let the settings that this folder brings along count.",
            "Shows what .holdfast/config.json says and asks. Any change of the file ends the trust.",
            List.of(Parameter.optional("FILE", "The settings of another folder.")),
            List.of(
                    Option.flag("--yes", "Do not ask."),
                    Option.flag("--list", "What you trust."),
                    Option.flag("--revoke", "Do not trust it any more.")),
            List.of("holdfast trust", "holdfast trust --list", "holdfast trust --revoke .holdfast/config.json"),
            new LauncherCommands("trust"));

    static final Command TEST = new Command(
            "test",
            "Run everything a change to Holdfast must pass. Only in the source tree.",
            "",
            List.of(Parameter.any("ARGUMENT", "Passed on to Maven.")),
            List.of(),
            List.of("holdfast test"),
            new LauncherCommands("test"));

    static final Command BENCH = new Command(
            "bench",
            "Measure. Only in the source tree.",
            "",
            List.of(Parameter.any("NAME", "What to measure. Default: everything.")),
            List.of(),
            List.of("holdfast bench"),
            new LauncherCommands("bench"));

    static final Command RULES = new Command(
            "rules",
            "Hold a change against the rules of the reviewer without a model. Needs no broker.",
            "Prints file:line: rule: message. Exit code 8 when a rule is broken.",
            List.of(),
            List.of(
                    Option.flag("--staged", "What is staged for the next commit. This is the default."),
                    Option.of("--range", "A..B", "What changed from commit A to commit B."),
                    Option.of("--diff", "FILE", "A diff from a file; - reads it from standard input."),
                    Option.of("--without", "RULE", "Leave this rule out.")),
            List.of("holdfast rules", "holdfast rules --range main..HEAD --without untested"),
            new LauncherCommands("rules"));

    @Override
    public boolean asksTheBroker() {
        return false;
    }

    @Override
    public ExitCode run(Invocation invocation) {
        throw Failure.invalid("'" + name + "' is run by the launcher: ./holdfast " + name);
    }
}
