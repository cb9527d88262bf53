package dev.holdfast.broker.doctor;

import dev.holdfast.broker.config.Config;
import dev.holdfast.claim.StoreConsistency;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresDatabase;
import dev.holdfast.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** Checks the store by reading only, whether brokers are using it or not. */
final class StoreChecks {
    private static final Duration SKEWED = Duration.ofSeconds(2);
    private static final Duration VERY_SKEWED = Duration.ofMinutes(1);

    private final Config config;
    private final InstantSource clock;
    private final List<CheckResult> findings = new ArrayList<>();

    StoreChecks(Config config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    List<CheckResult> look() {
        String database = config.store().withoutPooler();
        try {
            if (database == null) {
                sqlite(config.store().data().resolve("holdfast.db"));
            } else {
                try (Connection connection = PostgresDatabase.longRunning(database)) {
                    connection.setReadOnly(true);
                    if (isEmpty(connection)) {
                        findings.add(CheckResult.note(
                                "store", "there is none yet in this database", "'holdfast serve' creates it"));
                    } else if (isOfThisVersion(connection, Engine.POSTGRES)) {
                        postgres(connection);
                        defaults(database);
                        content(connection, Engine.POSTGRES);
                    }
                }
            }
        } catch (SQLException | StoreException e) {
            findings.add(CheckResult.problem(
                    "store",
                    "cannot be read: " + String.valueOf(e.getMessage()).strip(),
                    database == null
                            ? "restore a backup: holdfast restore"
                            : "correct store.database, or start PostgreSQL"));
        }
        return findings;
    }

    private static boolean isEmpty(Connection postgres) throws SQLException {
        try (Statement statement = postgres.createStatement()) {
            return text(statement, "SELECT coalesce(to_regclass('schema_history')::text, '')")
                    .isEmpty();
        }
    }

    /** Another version's tables cannot be checked. */
    private boolean isOfThisVersion(Connection connection, Engine engine) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int schema = Integer.parseInt(
                    text(statement, "SELECT coalesce(max(cast(version AS integer)), 0) FROM schema_history"));
            if (schema > engine.newestSchema()) {
                findings.add(CheckResult.problem(
                        "store",
                        "was written by a newer Holdfast (schema version " + schema + ")",
                        "use that one, or update this one"));
            } else if (schema < engine.newestSchema()) {
                findings.add(CheckResult.note(
                        "store",
                        "was written by an older Holdfast (schema version " + schema + ")",
                        "the next 'holdfast serve' migrates it; make a backup first"));
            }
            return schema == engine.newestSchema();
        }
    }

    private void sqlite(Path file) throws SQLException {
        if (Files.notExists(file) || file.toFile().length() == 0) {
            findings.add(
                    Files.notExists(file) || Files.isReadable(file)
                            ? CheckResult.note("store", "there is none yet at " + file, "'holdfast serve' creates it")
                            : CheckResult.problem(
                                    "store",
                                    file + " cannot be read: permission denied",
                                    "run this as the broker's user"));
            return;
        }
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:file:" + file.toUri().getRawPath() + "?mode=ro");
                Statement statement = connection.createStatement()) {
            String checked = text(statement, "PRAGMA quick_check(1)");
            findings.add(
                    checked.equals("ok")
                            ? CheckResult.ok("store", file + " is whole")
                            : CheckResult.problem(
                                    "store",
                                    file + " is damaged: " + checked.replaceAll("\\s+", " "),
                                    "restore a backup: holdfast restore"));
            if (!isOfThisVersion(connection, Engine.SQLITE)) {
                return;
            }
            try (ResultSet broken = statement.executeQuery("PRAGMA foreign_key_check")) {
                if (broken.next()) {
                    findings.add(CheckResult.problem(
                            "store",
                            "rows of " + broken.getString(1) + " refer to something that is missing",
                            "report it, with a backup"));
                }
            }
            long latest = Long.parseLong(text(statement, "SELECT latest FROM latest_time"));
            skew(Duration.between(clock.instant(), Instant.ofEpochSecond(latest / 1_000_000)), true);
            content(connection, Engine.SQLITE);
        }
    }

    private void postgres(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            findings.add(CheckResult.ok("store", "PostgreSQL " + text(statement, "SHOW server_version")));
            for (String setting : List.of("fsync", "full_page_writes")) {
                String value = text(statement, "SHOW " + setting);
                findings.add(
                        value.equals("on")
                                ? CheckResult.ok(setting, "on")
                                : CheckResult.problem(
                                        setting,
                                        "is " + value + ": a crash of the machine can lose or damage everything",
                                        "set " + setting + " = on in postgresql.conf"));
            }
            standbys(statement);
            if (text(statement, "SELECT coalesce(current_server(), '')").isEmpty()) {
                findings.add(CheckResult.warning(
                        "failover",
                        "this server does not reveal its system identifier and timeline, so a failover would go unnoticed",
                        "after one, run SELECT fence_out_everybody('failover') before you start the brokers"));
            }
            try (ResultSet now = statement.executeQuery("SELECT clock_timestamp()")) {
                now.next();
                skew(
                        Duration.between(
                                clock.instant(),
                                now.getObject(1, OffsetDateTime.class).toInstant()),
                        false);
            }
        }
    }

    /**
     * Checks the defaults that other callers of the SQL functions get; our own session shows what it was opened with.
     */
    private void defaults(String database) throws SQLException {
        try (Connection connection = PostgresDatabase.withDefaults(database);
                Statement statement = connection.createStatement()) {
            String commit = text(statement, "SHOW synchronous_commit");
            findings.add(
                    commit.equals("off")
                            ? CheckResult.note(
                                    "synchronous_commit",
                                    "is off by default there; brokers turn it on for themselves, other programs do not",
                                    "turn it on for programs that call the SQL functions")
                            : CheckResult.ok("synchronous_commit", commit));
        }
    }

    private void standbys(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery("""
                SELECT count(*) AS standbys, count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
                    count(*) FILTER (WHERE sync_state IS NULL) AS hidden, current_setting('synchronous_standby_names') AS named
                FROM pg_stat_replication
                """)) {
            found.next();
            long standbys = found.getLong("standbys");
            if (standbys == 0) {
                findings.add(CheckResult.note("standby", "none: if this server is lost, so is its data", ""));
            } else if (found.getLong("synchronous") > 0) {
                findings.add(CheckResult.ok("standby", standbys + ", at least one of them synchronous"));
            } else if (found.getLong("hidden") > 0 && !found.getString("named").isBlank()) {
                // only pg_monitor may see which; but without one of them nothing would be acknowledged
                findings.add(CheckResult.ok("standby", standbys + ", and synchronous_standby_names is set"));
            } else {
                findings.add(CheckResult.warning(
                        "standby",
                        "all " + standbys + " are asynchronous: a failover can lose acknowledged changes",
                        "name one in synchronous_standby_names"));
            }
        }
    }

    /**
     * @param latest whether this is the last change in the store rather than a clock; it may be old, so only being
     *     ahead counts
     */
    private void skew(Duration ahead, boolean latest) {
        Duration apart = ahead.abs();
        String whose = latest ? "the last change in the store" : "the database's clock";
        if ((latest && ahead.isNegative()) || apart.compareTo(SKEWED) < 0) {
            findings.add(CheckResult.ok("clock", "agrees with " + whose));
        } else {
            String text = "this machine's clock is " + apart.toSeconds() + " s "
                    + (ahead.isNegative() ? "ahead of " : "behind ") + whose;
            String advice = "let NTP set the clocks";
            findings.add(
                    apart.compareTo(VERY_SKEWED) < 0
                            ? CheckResult.warning("clock", text, advice)
                            : CheckResult.problem("clock", text, advice));
        }
    }

    private void content(Connection connection, Engine engine) throws SQLException {
        List<StoreConsistency.Finding> found = StoreConsistency.look(connection, engine);
        if (found.isEmpty()) {
            findings.add(CheckResult.ok("content", "everything is consistent, and nothing is left over"));
        }
        for (StoreConsistency.Finding one : found) {
            String text = one.what() + " (" + one.count() + "): " + String.join(", ", one.examples())
                    + (one.count() > one.examples().size() ? ", ..." : "");
            findings.add(
                    switch (one.badness()) {
                        case LEFT_OVER ->
                            CheckResult.warning("content", text, "see who worked on it: holdfast who, holdfast events");
                        case BROKEN -> CheckResult.problem("content", text, "report it, with a backup");
                    });
        }
        tokens(connection, engine);
    }

    private void tokens(Connection connection, Engine engine) throws SQLException {
        String now = engine == Engine.SQLITE ? "unixepoch('now') * 1000000" : "clock_timestamp()";
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT count(*) AS live,"
                        + " coalesce(sum(CASE WHEN expires_at IS NULL THEN 1 ELSE 0 END), 0) AS endless FROM tokens"
                        + " WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > " + now + ")")) {
            found.next();
            long endless = found.getLong("endless");
            findings.add(
                    endless == 0
                            ? CheckResult.ok("tokens", found.getLong("live") + " are in use")
                            : CheckResult.note(
                                    "tokens",
                                    endless + " of " + found.getLong("live") + " never expire",
                                    "rotate them with --expires"));
        }
    }

    private static String text(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        }
    }
}
