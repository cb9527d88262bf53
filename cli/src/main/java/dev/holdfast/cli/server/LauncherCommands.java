package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import java.util.stream.Stream;

/** Commands that the launcher runs itself. They are listed here so that help is complete. */
public record LauncherCommands(String name) implements Command.Action {
    private static final Option JSON = Option.flag("--json", "Print one JSON document.");

    public static final Command SERVE = Command.define("serve", "Run the broker.")
            .description("Prints one line when it is ready. Ctrl-C or SIGTERM stops it cleanly.")
            .options(
                    Option.of("--host", "HOST", "The address to listen on. Default: 127.0.0.1."),
                    Option.of("--port", "N", "The port. Default: 8321; 0 picks a free one."),
                    Option.of("--data", "DIR", "The folder for its SQLite file. Default: your data folder."),
                    Option.of("--database", "URL", "PostgreSQL instead of SQLite."),
                    Option.of("--config", "FILE", "The settings file."),
                    Option.of("--reviewers", "ENGINE", "Run reviewers: rules (no model), codex or claude."),
                    Option.flag("--background", "Ignore this folder's settings. Used by hooks and 'mcp --start'."))
            .examples("holdfast serve", "holdfast serve --port 9000 --data /var/lib/holdfast")
            .runs(new LauncherCommands("serve"));

    public static final Command CONFIG = Command.define(
                    "config show", "Show the settings a broker would use here, and where each comes from.")
            .description("""
            Takes the options of 'serve'. With --background: what a hook or 'mcp --start' would start. Where HOLDFAST_URL names \
            another broker, it says so: only that broker's own machine knows its settings.""")
            .options(Stream.concat(
                            SERVE.ownOptions().stream().map(option -> option.described("As for serve.")),
                            Stream.of(JSON))
                    .toList())
            .examples("holdfast config show", "holdfast config show --background --json")
            .runs(new LauncherCommands("config show"));

    public static final Command CONFIG_SETTINGS = Command.define(
                    "config settings", "List everything that can be set, with values, default and meaning.")
            .parameters(Parameter.optional("WORD", "Only settings with this word in their name."))
            .options(JSON)
            .examples("holdfast config settings", "holdfast config settings lease --json")
            .runs(new LauncherCommands("config settings"));

    public static final Command CONFIG_SCHEMA = Command.define(
                    "config schema", "Print the JSON schema of the settings file, for editors.")
            .examples("holdfast config schema")
            .runs(new LauncherCommands("config schema"));

    public static final Command TRUST = Command.define("trust", "Trust the settings that come with this folder.")
            .description("Shows .holdfast/config.json and asks. Any change to the file revokes the trust.")
            .parameters(Parameter.optional("FILE", "The settings file of another folder."))
            .options(
                    Option.flag("--yes", "Do not ask."),
                    Option.flag("--list", "List what you trust."),
                    Option.flag("--revoke", "Stop trusting it."),
                    JSON)
            .examples("holdfast trust", "holdfast trust --list --json", "holdfast trust --revoke .holdfast/config.json")
            .runs(new LauncherCommands("trust"));

    private static final Option DATA = Option.of("--data", "DIR", "The folder of the SQLite store, as for serve.");
    private static final Option DATABASE = Option.of("--database", "URL", "The PostgreSQL database, as for serve.");
    private static final Option CONFIG_FILE = Option.of("--config", "FILE", "The settings file, as for serve.");

    public static final Command BACKUP = Command.define(
                    "backup", "Copy everything the broker stores into a new file, while it runs.")
            .description("The copy is a consistent snapshot. It needs no other program, even on PostgreSQL.")
            .parameters(Parameter.required("FILE", "A new file, which only you can read."))
            .options(DATA, DATABASE, CONFIG_FILE)
            .examples("holdfast backup monday.backup", "holdfast backup /backups/holdfast --data /var/lib/holdfast")
            .runs(new LauncherCommands("backup"));

    public static final Command RESTORE = Command.define(
                    "restore", "Restore a store from a backup. No broker may be using it.")
            .description("""
            All claims are reclaimed and generations jump, so nobody can act on an old claim. On PostgreSQL \
            it needs an empty database. With --replace, tokens that were revoked or rotated since the backup stay that \
            way; without it, they are as valid as when the backup was made.""")
            .parameters(Parameter.required("FILE", "What 'holdfast backup' wrote."))
            .options(
                    Option.flag("--replace", "Keep the existing SQLite store under another name."),
                    Option.flag("--revoke-tokens", "Revoke all tokens of the backup."),
                    DATA,
                    DATABASE,
                    CONFIG_FILE)
            .examples("holdfast restore monday.backup --replace")
            .runs(new LauncherCommands("restore"));

    public static final Command DOCTOR = Command.define(
                    "doctor", "Check the store, the settings and this machine for problems.")
            .description(
                    "It changes nothing. Exit codes: 0 no problems, 1 problems, 3 warnings but no problems, 2 wrong arguments.")
            .options(JSON, DATA, DATABASE, CONFIG_FILE)
            .examples("holdfast doctor", "holdfast doctor --json")
            .runs(new LauncherCommands("doctor"));

    public static final Command TEST = Command.define(
                    "test", "Run everything a change to Holdfast must pass. Only in the source tree.")
            .parameters(Parameter.any("ARGUMENT", "Passed on to Maven."))
            .examples("holdfast test")
            .runs(new LauncherCommands("test"));

    public static final Command BENCH = Command.define("bench", "Run the benchmarks. Only in the source tree.")
            .parameters(Parameter.any("NAME", "What to measure. Default: everything."))
            .examples("holdfast bench")
            .runs(new LauncherCommands("bench"));

    public static final Command RULES = Command.define(
                    "rules", "Check a change against the built-in rules (no model). Needs no broker.")
            .description("Prints file:line: rule: message. Exit code 8 when a rule is broken.")
            .options(
                    Option.flag("--staged", "What is staged for the next commit (default)."),
                    Option.of("--range", "A..B", "What changed from commit A to commit B."),
                    Option.of("--diff", "FILE", "A diff from a file; - reads standard input."),
                    Option.of("--without", "RULE", "Skip this rule."),
                    JSON)
            .examples("holdfast rules", "holdfast rules --range main..HEAD --without untested")
            .runs(new LauncherCommands("rules"));

    @Override
    public boolean asksTheBroker() {
        return false;
    }

    @Override
    public ExitCode run(Invocation invocation) {
        throw Failure.invalid("'" + name + "' only works through the launcher: run 'holdfast " + name + "'");
    }
}
