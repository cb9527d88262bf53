package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import java.util.List;

/** Commands that the launcher runs itself. They are listed here so that help is complete. */
public record LauncherCommands(String name) implements Command.Action {
    private static final Option JSON = Option.flag("--json", "Print one JSON document.");

    public static final Command SERVE = new Command(
            "serve",
            "Run the broker.",
            "Prints one line when it is ready. Ctrl-C or SIGTERM stops it cleanly.",
            List.of(),
            List.of(
                    Option.of("--host", "HOST", "The address to listen on. Default: 127.0.0.1."),
                    Option.of("--port", "N", "The port. Default: 8321; 0 picks a free one."),
                    Option.of("--data", "DIR", "The folder for its SQLite file. Default: your data folder."),
                    Option.of("--database", "URL", "PostgreSQL instead of SQLite."),
                    Option.of("--config", "FILE", "The settings file."),
                    Option.of("--reviewers", "ENGINE", "Run reviewers: rules (no model), codex or claude."),
                    Option.flag("--background", "Ignore this folder's settings. Used by hooks and 'mcp --start'.")),
            List.of("holdfast serve", "holdfast serve --port 9000 --data /var/lib/holdfast"),
            new LauncherCommands("serve"));

    public static final Command CONFIG = new Command(
            "config show",
            "Show the settings a broker would use here, and where each comes from.",
            """
            Takes the options of 'serve'. With --background: what a hook or 'mcp --start' would start. Where HOLDFAST_URL names \
            another broker, it says so: only that broker's own machine knows its settings.""",
            List.of(),
            List.of(
                    Option.of("--host", "HOST", "As for serve."),
                    Option.of("--port", "N", "As for serve."),
                    Option.of("--data", "DIR", "As for serve."),
                    Option.of("--database", "URL", "As for serve."),
                    Option.of("--config", "FILE", "As for serve."),
                    Option.of("--reviewers", "ENGINE", "As for serve."),
                    Option.flag("--background", "As for serve."),
                    JSON),
            List.of("holdfast config show", "holdfast config show --background --json"),
            new LauncherCommands("config show"));

    public static final Command CONFIG_SETTINGS = new Command(
            "config settings",
            "List everything that can be set, with values, default and meaning.",
            "",
            List.of(Parameter.optional("WORD", "Only settings with this word in their name.")),
            List.of(JSON),
            List.of("holdfast config settings", "holdfast config settings lease --json"),
            new LauncherCommands("config settings"));

    public static final Command CONFIG_SCHEMA = new Command(
            "config schema",
            "Print the JSON schema of the settings file, for editors.",
            "",
            List.of(),
            List.of(),
            List.of("holdfast config schema"),
            new LauncherCommands("config schema"));

    public static final Command TRUST = new Command(
            "trust",
            "Trust the settings that come with this folder.",
            "Shows .holdfast/config.json and asks. Any change to the file revokes the trust.",
            List.of(Parameter.optional("FILE", "The settings file of another folder.")),
            List.of(
                    Option.flag("--yes", "Do not ask."),
                    Option.flag("--list", "List what you trust."),
                    Option.flag("--revoke", "Stop trusting it."),
                    JSON),
            List.of("holdfast trust", "holdfast trust --list --json", "holdfast trust --revoke .holdfast/config.json"),
            new LauncherCommands("trust"));

    private static final Option DATA = Option.of("--data", "DIR", "The folder of the SQLite store, as for serve.");
    private static final Option DATABASE = Option.of("--database", "URL", "The PostgreSQL database, as for serve.");
    private static final Option CONFIG_FILE = Option.of("--config", "FILE", "The settings file, as for serve.");

    public static final Command BACKUP = new Command(
            "backup",
            "Copy everything the broker stores into a new file, while it runs.",
            "The copy is a consistent snapshot. It needs no other program, even on PostgreSQL.",
            List.of(Parameter.required("FILE", "A new file, which only you can read.")),
            List.of(DATA, DATABASE, CONFIG_FILE),
            List.of("holdfast backup monday.backup", "holdfast backup /backups/holdfast --data /var/lib/holdfast"),
            new LauncherCommands("backup"));

    public static final Command RESTORE = new Command(
            "restore",
            "Make a store from a backup. No broker may be using it.",
            """
            Claims are taken back, and generations jump, so nobody can act on an old claim. On PostgreSQL \
            it needs an empty database. With --replace, tokens that were revoked or rotated since the backup stay so; \
            otherwise they are valid as they were when it was made.""",
            List.of(Parameter.required("FILE", "What 'holdfast backup' wrote.")),
            List.of(
                    Option.flag("--replace", "Keep the existing SQLite store under another name."),
                    Option.flag("--revoke-tokens", "Revoke all tokens of the backup."),
                    DATA,
                    DATABASE,
                    CONFIG_FILE),
            List.of("holdfast restore monday.backup --replace"),
            new LauncherCommands("restore"));

    public static final Command DOCTOR = new Command(
            "doctor",
            "Check the store, the settings and this machine for problems.",
            "It changes nothing. Exit codes: 0 all is well, 1 problems, 3 warnings but no problems, 2 wrong arguments.",
            List.of(),
            List.of(JSON, DATA, DATABASE, CONFIG_FILE),
            List.of("holdfast doctor", "holdfast doctor --json"),
            new LauncherCommands("doctor"));

    public static final Command TEST = new Command(
            "test",
            "Run everything a change to Holdfast must pass. Only in the source tree.",
            "",
            List.of(Parameter.any("ARGUMENT", "Passed on to Maven.")),
            List.of(),
            List.of("holdfast test"),
            new LauncherCommands("test"));

    public static final Command BENCH = new Command(
            "bench",
            "Run the benchmarks. Only in the source tree.",
            "",
            List.of(Parameter.any("NAME", "What to measure. Default: everything.")),
            List.of(),
            List.of("holdfast bench"),
            new LauncherCommands("bench"));

    public static final Command RULES = new Command(
            "rules",
            "Check a change against the built-in rules (no model). Needs no broker.",
            "Prints file:line: rule: message. Exit code 8 when a rule is broken.",
            List.of(),
            List.of(
                    Option.flag("--staged", "What is staged for the next commit (default)."),
                    Option.of("--range", "A..B", "What changed from commit A to commit B."),
                    Option.of("--diff", "FILE", "A diff from a file; - reads standard input."),
                    Option.of("--without", "RULE", "Skip this rule."),
                    JSON),
            List.of("holdfast rules", "holdfast rules --range main..HEAD --without untested"),
            new LauncherCommands("rules"));

    @Override
    public boolean asksTheBroker() {
        return false;
    }

    @Override
    public ExitCode run(Invocation invocation) {
        throw Failure.invalid("'" + name + "' only works through the launcher: run 'holdfast " + name + "'");
    }
}
