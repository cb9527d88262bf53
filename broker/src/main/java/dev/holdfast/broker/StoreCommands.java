package dev.holdfast.broker;

import dev.holdfast.backup.PostgresBackup;
import dev.holdfast.backup.RestoreOptions;
import dev.holdfast.backup.SqliteBackup;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.doctor.CheckResult;
import dev.holdfast.broker.doctor.Doctor;
import dev.holdfast.broker.doctor.Sizes;
import dev.holdfast.store.InUseException;
import dev.holdfast.store.StoreException;
import dev.holdfast.token.RestoredTokens;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code holdfast backup}, {@code restore} and {@code doctor}, which work directly on the store, whether a broker runs
 * or not.
 */
public final class StoreCommands {
    private static final String HELP = """
            Usage: holdfast backup FILE [--data DIR] [--database URL] [--config FILE]
                   holdfast restore FILE [--replace] [--revoke-tokens] [--data DIR] [--database URL] [--config FILE]
                   holdfast doctor [--json] [--data DIR] [--database URL] [--config FILE]

            'backup' copies everything the broker stores into a new file, while it runs.
            'restore' makes a store from such a file: in a SQLite folder that no broker uses, or in an empty PostgreSQL
            database. Claims are taken back and generations jump, so nobody can act on an old claim.
            With --replace, tokens that were revoked or rotated since the backup stay that way; without it, they
            are as valid as when the backup was made. --revoke-tokens revokes them all.
            The store is the one that 'holdfast serve' would use here; 'holdfast config show' prints it. If the broker
            that is running uses another one, nothing is copied unless you name the store with --data or --database.

            'doctor' checks the store, the settings and this machine for problems. It changes nothing.

            Exit codes: 0 done, 1 failed (nothing was changed), 2 wrong arguments or settings.
            For doctor: 0 no problems, 1 problems, 3 warnings but no problems, 2 wrong arguments or settings.
            """;

    private static final int PATIENCE_MILLIS = 1_000;
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int WRONG = 2;
    private static final String REPLACE = "--replace";
    private static final String REVOKE_TOKENS = "--revoke-tokens";
    private static final String JSON = "--json";

    private final CommandContext context;
    private final PrintStream out;

    StoreCommands(CommandContext context) {
        this.context = context;
        out = context.out();
    }

    public static void main(String[] arguments) {
        System.exit(new StoreCommands(CommandContext.ofThisProcess()).run(List.of(arguments)));
    }

    int run(List<String> words) {
        if (words.isEmpty() || words.contains("--help") || words.contains("-h")) {
            out.print(HELP);
            return DONE;
        }
        String command = words.getFirst();
        List<String> flags = new ArrayList<>(words.subList(1, words.size()));
        RestoreOptions options = new RestoreOptions(flags.remove(REPLACE), flags.remove(REVOKE_TOKENS), Instant.now());
        try {
            if (command.equals("doctor")) {
                return doctor(flags);
            }
            Path file = file(flags);
            ServeSettings serveSettings = context.serveSettings();
            Config config = serveSettings.config(flags);
            Config.Storage store = config.store();
            serveSettings.notices().forEach(context::complain);
            switch (command) {
                case "backup" -> {
                    checkBroker(config, serveSettings, flags);
                    backup(store, file, options);
                }
                case "restore" -> restore(store, file, options);
                default -> throw new ServeSettings.UsageException("there is no command '" + command + "'");
            }
            return DONE;
        } catch (ServeSettings.UsageException e) {
            boolean json = words.contains(JSON);
            context.fail(WRONG, List.of(String.valueOf(e.getMessage())), json);
            if (!json) {
                context.err().println("Try: holdfast " + command + " --help");
            }
            return WRONG;
        } catch (ConfigException e) {
            return context.fail(WRONG, e.problems(), words.contains(JSON));
        } catch (StoreException | IOException e) {
            context.complain(String.valueOf(e.getMessage()));
            return FAILED;
        }
    }

    private int doctor(List<String> flags) {
        boolean json = flags.remove(JSON);
        ServeSettings serveSettings = context.serveSettings();
        Config config = serveSettings.config(flags);
        List<CheckResult> findings = Doctor.look(
                config,
                serveSettings.settingsFile(),
                serveSettings.exposed(),
                context.environment(),
                InstantSource.system());
        if (json) {
            out.println(Doctor.json(findings));
        } else {
            Doctor.print(findings, context.columns().getAsInt(), out);
        }
        return Doctor.exitCode(findings);
    }

    /** The one word that is neither a flag nor a flag's value. */
    private Path file(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).startsWith("--")) {
                i += words.get(i).contains("=") ? 0 : 1;
            } else {
                try {
                    return context.here().resolve(words.remove(i));
                } catch (InvalidPathException e) {
                    throw new ServeSettings.UsageException("not a file name: " + e.getMessage());
                }
            }
        }
        throw new ServeSettings.UsageException("FILE is missing: name the file");
    }

    private void backup(Config.Storage store, Path file, RestoreOptions options) throws IOException {
        if (options.replace() || options.revokeTokens()) {
            throw new ServeSettings.UsageException(
                    (options.replace() ? REPLACE : REVOKE_TOKENS) + " belongs to 'restore'; a backup changes nothing");
        }
        make(file);
        boolean whole = false;
        try {
            String database = store.withoutPooler();
            if (database == null) {
                SqliteBackup.write(store.data(), file);
            } else {
                PostgresBackup.write(database, file);
            }
            whole = true;
        } finally {
            if (!whole) {
                Files.deleteIfExists(file);
            }
        }
        out.println(
                "backed up " + ServeCommand.described(store) + " to " + file + " (" + Sizes.of(Files.size(file)) + ")");
    }

    /**
     * A backup of another store than the broker's would be noticed only when it is needed.
     *
     * @throws StoreException if the broker that commands go to uses another store, and this one was not named
     */
    private void checkBroker(Config config, ServeSettings serveSettings, List<String> flags) {
        Path state = context.folders().state();
        Optional<OtherBroker> other = OtherBroker.of(context.environment(), config, state);
        Optional<BrokerRecord> running = other.map(OtherBroker::served)
                .orElseGet(() -> serveSettings.before(config))
                .filter(BrokerRecord::isRunning);
        boolean named = flags.stream().anyMatch(flag -> flag.startsWith("--data")); // --database, too
        if (running.isPresent() && !running.get().isOf(config.store())) {
            String uses = "the broker at " + running.get().url() + " uses "
                    + running.get().store();
            if (!named) {
                throw new StoreException(uses + ", not " + ServeCommand.described(config.store())
                        + ", which 'holdfast serve' would use here; choose the one to copy with --data or --database");
            }
            context.complain("note: " + uses + "; this is a copy of another store");
        } else if (running.isEmpty() && !named) {
            String url = other.map(OtherBroker::url).orElseGet(() -> address(config.server()));
            if (answers(url)) {
                context.complain("note: something answers at " + url + " that this user has not started here; this is a"
                        + " copy of " + ServeCommand.described(config.store())
                        + ". If you mean that broker's store, run this as its"
                        + " user, on its machine");
            }
        }
    }

    private static String address(Config.Server server) {
        boolean all = server.host().equals("0.0.0.0") || server.host().equals("::");
        return "http://" + (all ? "127.0.0.1" : server.host()) + ":" + server.port();
    }

    private static boolean answers(String url) {
        try (Socket socket = new Socket()) {
            URI address = URI.create(url);
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), PATIENCE_MILLIS);
            return true;
        } catch (IOException | IllegalArgumentException _) {
            return false;
        }
    }

    /** Private from the start. */
    private static void make(Path file) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] closed = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        try {
            Files.createFile(file, closed);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(file + " exists; name a new file");
        } catch (NoSuchFileException e) {
            throw new IOException("the folder " + file.getParent() + " does not exist", e);
        } catch (IOException e) {
            String reason = e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
            throw new IOException("cannot write " + file + ": " + reason, e);
        }
    }

    private void restore(Config.Storage store, Path file, RestoreOptions options) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no file " + file);
        }
        boolean ofPostgres = PostgresBackup.isOne(file);
        String database = store.withoutPooler();
        if (ofPostgres != (database != null)) {
            throw new ServeSettings.UsageException(
                    file + " is a backup of " + (ofPostgres ? "PostgreSQL" : "SQLite") + "; restore it into "
                            + (ofPostgres ? "an empty database, with --database" : "a folder, with --data"));
        }
        if (database != null) {
            RestoredTokens tokens = PostgresBackup.read(file, database, options);
            out.println("restored " + file + " into " + ServeCommand.described(store));
            tell(tokens);
            return;
        }
        SqliteBackup.Restored restored = restored(store, file, options);
        if (restored.former() != null) {
            out.println("the store that was there is kept as " + restored.former());
        }
        if (restored.unread() != null) {
            out.println("it could not be read (" + restored.unread() + "), so what it recorded about tokens is lost");
        }
        out.println("restored " + file + " into " + ServeCommand.described(store) + "; " + restored.reclaimed()
                + (restored.reclaimed() == 1 ? " claim was" : " claims were") + " taken back");
        tell(restored.tokens());
    }

    private void tell(RestoredTokens tokens) {
        tell("revoked tokens: ", tokens.revoked(), "");
        tell("tokens with the secret that they were rotated to after the backup: ", tokens.rotated(), "");
        tell("tokens newer than the backup, which are gone: ", tokens.gone(), "; create them again");
        if (!tokens.compared()) {
            tell(
                    "valid tokens, as when the backup was made: ",
                    tokens.valid(),
                    ". If one was revoked or rotated since, its old secret is valid again: revoke it before others can"
                            + " reach the broker (holdfast token list), or restore with " + REVOKE_TOKENS);
        }
    }

    private void tell(String what, List<String> names, String then) {
        if (!names.isEmpty()) {
            out.println(what + String.join(", ", names) + then);
        }
    }

    private static SqliteBackup.Restored restored(Config.Storage store, Path file, RestoreOptions options) {
        try {
            return SqliteBackup.read(file, store.data(), options);
        } catch (InUseException e) {
            throw new StoreException(
                    "a broker is using the store in " + store.data() + "; stop it first: holdfast stop", e);
        }
    }
}
