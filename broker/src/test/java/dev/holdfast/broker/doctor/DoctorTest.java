package dev.holdfast.broker.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.doctor.CheckResult.Level;
import dev.holdfast.testing.TestFailover;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {
    private static final Path PEM = Path.of("src/test/resources/dev/holdfast/broker/tls");

    @TempDir
    private Path folder;

    private List<CheckResult> look(Settings settings) {
        return look(settings, InstantSource.system());
    }

    private List<CheckResult> look(Settings settings, InstantSource clock) {
        return Doctor.look(
                Config.in(folder, settings),
                folder.resolve("config.json"),
                List.of(),
                Map.of("PATH", System.getenv("PATH")),
                clock);
    }

    private static void has(List<CheckResult> findings, Level level, String about, String text) {
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(level);
            assertThat(finding.about()).isEqualTo(about);
            assertThat(finding.text()).contains(text);
        });
    }

    @Test
    void a_store_that_is_well_has_no_problem_and_one_that_is_not_is_explained() throws SQLException, IOException {
        try (Broker broker = Broker.start(Config.in(folder));
                BrokerClient caller = new BrokerClient(broker)) {
            String item = caller.call("create_work", "title", "begun")
                    .body()
                    .at("/item/id")
                    .asString();
            caller.call("create_work", "title", "not begun");
            List<CheckResult> well = look(new Settings());
            assertThat(well).noneMatch(finding -> finding.level() == Level.PROBLEM);
            has(well, Level.OK, "store", "is whole");
            has(well, Level.OK, "content", "everything is consistent");
            long generation = caller.call("claim_work", "id", item, "holder", "ann")
                    .body()
                    .at("/claim/claim_generation")
                    .asLong();
            caller.call(
                    "release",
                    "resource",
                    "work:" + item,
                    "holder",
                    "ann",
                    "claim_generation",
                    generation,
                    "keep_status",
                    true);
            has(
                    look(new Settings()),
                    Level.WARNING,
                    "content",
                    "work items are in progress, but nobody holds them (1): work:" + item);
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM resources WHERE kind = 'work' AND NOT kept");
        }
        List<CheckResult> broken = look(new Settings());
        has(broken, Level.PROBLEM, "content", "their claim is missing (1)");
        assertThat(Doctor.exitCode(broken)).isEqualTo(1);
        Files.writeString(folder.resolve("holdfast.db"), "not a database");
        has(look(new Settings()), Level.PROBLEM, "store", "cannot be read");
        assertThat(Doctor.json(broken)).contains("\"level\":\"problem\"");
    }

    @Test
    void lines_fit_a_narrow_terminal() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CheckResult found = CheckResult.warning(
                "network", "others can reach it without any proxy in between", "listen on 127.0.0.1 or set up TLS");
        Doctor.print(List.of(found), 50, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("""
                warning  network  others can reach it without any
                                  proxy in between
                                  -> listen on 127.0.0.1 or set up
                                     TLS
                """);
    }

    @Test
    void unsafe_settings_of_the_machine_are_problems_with_what_to_do() throws IOException {
        Path key = Files.copy(PEM.resolve("first.key.pem"), folder.resolve("key.pem"));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Settings tls = new Settings()
                .put(Setting.HOST, "0.0.0.0")
                .put(
                        Setting.TLS_CERTIFICATE,
                        PEM.resolve("first.cert.pem").toAbsolutePath().toString())
                .put(Setting.TLS_KEY, key.toString());
        List<CheckResult> findings = look(tls);
        has(findings, Level.PROBLEM, "files", "key.pem can be read by others");
        has(findings, Level.OK, "network", "TLS");
        has(findings, Level.OK, "certificate", "ends at");
        has(look(tls, () -> Instant.now().plus(Duration.ofDays(36_600))), Level.PROBLEM, "certificate", "ends at");
        has(look(new Settings().put(Setting.HOST, "0.0.0.0")), Level.PROBLEM, "network", "without TLS");
        assertThat(Doctor.look(
                        Config.in(folder),
                        folder.resolve("config.json"),
                        List.of(),
                        Map.of("PATH", "/nowhere"),
                        InstantSource.system()))
                .anySatisfy(finding -> assertThat(finding.text()).contains("without it diffs are not checked"));
    }

    @Test
    void a_key_that_the_brokers_group_can_read_is_none() throws IOException {
        Path key = Files.copy(PEM.resolve("first.key.pem"), folder.resolve("key.pem"));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        has(
                look(new Settings()
                        .put(
                                Setting.TLS_CERTIFICATE,
                                PEM.resolve("first.cert.pem").toAbsolutePath().toString())
                        .put(Setting.TLS_KEY, key.toString())),
                Level.OK,
                "files",
                "are private");
    }

    @Test
    void a_stores_former_file_a_token_file_and_settings_with_a_password_that_others_can_read_are_problems()
            throws IOException {
        Path data = Files.createDirectory(folder.resolve("open"));
        Path former = Files.createFile(data.resolve("holdfast.db.before-20261118-070000"));
        Path token = Files.createFile(data.resolve("ann.token"));
        for (Path file : List.of(former, token)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<CheckResult> findings = Doctor.look(
                Config.in(data),
                folder.resolve("config.json"),
                List.of("every user of this machine can read config.json"),
                Map.of("PATH", "/nowhere", "HOLDFAST_TOKEN_FILE", token.toString()),
                InstantSource.system());
        has(findings, Level.PROBLEM, "files", former + " can be read by others");
        has(findings, Level.PROBLEM, "files", token + " can be read by others");
        has(findings, Level.PROBLEM, "files", "every user of this machine can read config.json");
    }

    @Test
    void a_key_of_another_certificate_a_missing_file_and_a_strange_address_are_problems() {
        Settings tls = new Settings()
                .put(
                        Setting.TLS_CERTIFICATE,
                        PEM.resolve("first.cert.pem").toAbsolutePath().toString());
        has(
                look(tls.put(
                        Setting.TLS_KEY,
                        PEM.resolve("second.key.pem").toAbsolutePath().toString())),
                Level.PROBLEM,
                "certificate",
                "is not the key of the first certificate");
        has(
                look(new Settings()
                        .put(
                                Setting.TLS_CERTIFICATE,
                                PEM.resolve("first.cert.pem").toAbsolutePath().toString())
                        .put(Setting.TLS_KEY, folder.resolve("none").toString())),
                Level.PROBLEM,
                "certificate",
                "it does not exist");
        has(
                look(new Settings().put(Setting.HOST, "192.0.2.1")),
                Level.PROBLEM,
                "network",
                "192.0.2.1 is not an address of this machine");
    }

    @ParameterizedTest
    @CsvSource({"99, PROBLEM, newer", "3, NOTE, older"})
    void a_store_of_another_version_is_told_and_not_read(int version, Level level, String which) throws Exception {
        Path data = TestSqlite.in(folder.resolve("data"));
        String change = "UPDATE schema_history SET version = '" + version + "' WHERE cast(version AS integer) > 3";
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("holdfast.db"));
                Statement statement = connection.createStatement()) {
            statement.execute(change);
        }
        has(look(new Settings().put(Setting.DATA, data.toString())), level, "store", which);
        String database = TestPostgres.freshDatabase();
        TestPostgres.execute(database, change);
        has(look(new Settings().put(Setting.DATABASE, database)), level, "store", which);
    }

    @Test
    void the_pools_own_program_is_looked_for() {
        Settings pool = new Settings()
                .put(Setting.POOL_ENGINE, "command")
                .put(Setting.POOL_COMMAND, List.of(folder.resolve("reviewer").toString(), "--now"))
                .put(Setting.POOL_WORKSPACE, folder.toString());
        has(look(pool), Level.WARNING, "program " + folder.resolve("reviewer"), "is not there");
    }

    @Test
    void an_empty_database_is_no_problem() {
        List<CheckResult> found = look(new Settings().put(Setting.DATABASE, TestPostgres.emptyDatabase()));
        has(found, Level.NOTE, "store", "there is none yet");
        assertThat(found).noneMatch(one -> one.level() == Level.PROBLEM);
    }

    /** SQLite refuses it; PostgreSQL does not look, because that would cost every claim. */
    @Test
    void a_claim_that_somebody_took_the_expiry_of_by_hand_is_found_in_postgresql() {
        String database = TestPostgres.freshDatabase();
        TestPostgres.execute(
                database,
                "INSERT INTO resources (key, kind, state, holder, generation) VALUES ('key:a', 'key', 'held', 'ann', 1)");
        has(
                look(new Settings().put(Setting.DATABASE, database)),
                Level.PROBLEM,
                "content",
                "claims have no generation, holder or expiry");
    }

    /** The server of the tests has both off. */
    @Test
    void a_postgresql_that_may_lose_what_it_has_committed_is_a_problem_or_a_note() {
        String database = TestPostgres.freshDatabase();
        Settings postgres = new Settings().put(Setting.DATABASE, database);
        List<CheckResult> findings = look(postgres);
        has(findings, Level.PROBLEM, "fsync", "is off: a crash of the machine can lose or damage everything");
        has(findings, Level.OK, "full_page_writes", "on");
        has(findings, Level.NOTE, "synchronous_commit", "is off by default there; brokers turn it on for themselves");
        assertThat(Doctor.exitCode(findings)).isEqualTo(1);
        String name = database.replaceAll(".*/|\\?.*", "");
        TestPostgres.execute(database, "ALTER DATABASE " + name + " SET synchronous_commit = on");
        has(look(postgres), Level.OK, "synchronous_commit", "on");
    }

    @Test
    @Tag("heavy")
    void a_standby_that_may_lack_what_was_acknowledged_is_a_warning_until_it_follows_synchronously() throws Exception {
        try (TestFailover servers = new TestFailover()) {
            Settings postgres = new Settings().put(Setting.DATABASE, servers.address());
            await().untilAsserted(() -> has(
                    look(postgres),
                    Level.WARNING,
                    "standby",
                    "all 1 are asynchronous: a failover can lose acknowledged changes"));
            servers.followSynchronously();
            has(look(postgres), Level.OK, "standby", "at least one of them synchronous");
            servers.execute(0, "CREATE ROLE plain LOGIN");
            servers.execute(0, "GRANT pg_read_all_data TO plain");
            Settings ofAnOrdinaryRole =
                    new Settings().put(Setting.DATABASE, servers.address().replace("user=postgres", "user=plain"));
            has(look(ofAnOrdinaryRole), Level.OK, "standby", "synchronous_standby_names is set");
        }
    }

    @Test
    void what_postgresql_is_set_to_and_how_its_clock_stands_is_told() {
        Settings postgres = new Settings().put(Setting.DATABASE, TestPostgres.freshDatabase());
        List<CheckResult> findings = look(postgres);
        assertThat(findings).anySatisfy(finding -> assertThat(finding.about()).isEqualTo("fsync"));
        assertThat(findings).anySatisfy(finding -> assertThat(finding.about()).isEqualTo("standby"));
        has(findings, Level.OK, "clock", "agrees with the database's clock");
        has(
                look(postgres, () -> Instant.now().plusSeconds(30)),
                Level.WARNING,
                "clock",
                "ahead of the database's clock");
        has(
                look(postgres, () -> Instant.now().minusSeconds(300)),
                Level.PROBLEM,
                "clock",
                "behind the database's clock");
        has(
                look(new Settings().put(Setting.DATABASE, "postgres://nobody@127.0.0.1:1/none")),
                Level.PROBLEM,
                "store",
                "cannot be read");
    }
}
