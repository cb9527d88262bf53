package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCommandsTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private int run(String... words) {
        said.reset();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        UserFolders folders =
                new UserFolders(folder.resolve("data"), folder.resolve("config"), folder.resolve("state"));
        Map<String, String> environment = Map.of("HOLDFAST_DATA", folders.data().toString());
        return new StoreCommands(new CommandContext(environment, folder, folders, () -> 0, out, out))
                .run(List.of(words));
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    /** A broker works, is copied, works on, is gone with all it had; the next one goes on from the copy. */
    private void lives(Settings first, Settings second, String... flags) throws IOException {
        String item;
        try (Broker broker = Broker.start(Config.in(folder.resolve("data"), first));
                BrokerClient caller = new BrokerClient(broker)) {
            item = caller.call("create_work", "title", "kept")
                    .body()
                    .at("/item/id")
                    .asString();
            caller.call("claim_work", "id", item, "holder", "ann");
            assertThat(run(with("backup", "copy", flags[0], flags[1])))
                    .as(said())
                    .isZero();
            caller.call("create_work", "title", "lost");
        }
        assertThat(Files.getPosixFilePermissions(folder.resolve("copy")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(run(with("restore", "copy", flags[2], flags[3]))).as(said()).isZero();
        try (Broker broker = Broker.start(Config.in(folder.resolve("again"), second));
                BrokerClient caller = new BrokerClient(broker)) {
            assertThat(caller.call("list_work").body().path("items")).hasSize(1);
            assertThat(caller.call("heartbeat", "holder", "ann", "resource", "work:" + item, "claim_generation", 1)
                            .text("code"))
                    .isEqualTo("lost");
            BrokerClient.Reply again = caller.call("claim_work", "id", item, "holder", "bob");
            assertThat(again.body().at("/claim/claim_generation").asLong()).isGreaterThan(1_000_000);
            assertThat(caller.call(
                                    "close_work",
                                    "id",
                                    item,
                                    "holder",
                                    "bob",
                                    "claim_generation",
                                    again.body().at("/claim/claim_generation").asLong())
                            .status())
                    .isEqualTo(200);
        }
    }

    private static String[] with(String... words) {
        return words;
    }

    @Test
    void a_broker_on_sqlite_goes_on_from_a_backup_that_was_made_while_it_worked() throws IOException {
        lives(
                new Settings(),
                new Settings(),
                "--data",
                folder.resolve("data").toString(),
                "--data",
                folder.resolve("again").toString());
        assertThat(run("backup", "copy", "--data", folder.resolve("again").toString()))
                .isEqualTo(1);
        assertThat(said()).contains("copy exists; name a new file");
        assertThat(run("restore", "copy", "--data", folder.resolve("again").toString()))
                .isEqualTo(1);
        assertThat(said()).contains("--replace");
        assertThat(run(
                        "restore",
                        "copy",
                        "--replace",
                        "--data",
                        folder.resolve("again").toString()))
                .isZero();
        assertThat(said()).contains("is kept as");
        String again = folder.resolve("again").toString();
        try (Broker _ = Broker.start(Config.in(folder.resolve("again")))) {
            assertThat(run("backup", "copy2", "--data", again)).isZero();
            assertThat(said())
                    .startsWith("backed up SQLite in " + again + " to ")
                    .contains(" kB)");
            assertThat(run("restore", "copy", "--replace", "--data", again)).isEqualTo(1);
            assertThat(said()).contains("a broker is using the store", "stop it first: holdfast stop");
        }
    }

    @Test
    void a_broker_on_postgresql_goes_on_from_a_backup_that_was_made_while_it_worked() throws IOException {
        String first = TestPostgres.freshDatabase();
        String second = TestPostgres.emptyDatabase();
        lives(
                new Settings().put(Setting.DATABASE, first),
                new Settings().put(Setting.DATABASE, second),
                "--database",
                first,
                "--database",
                second);
        assertThat(run("restore", "copy", "--data", folder.resolve("again").toString()))
                .isEqualTo(2);
        assertThat(said()).contains("is a backup of PostgreSQL");
    }

    private void recorded(String url, Path data) {
        new BrokerRecord(
                        url,
                        ProcessHandle.current().pid(),
                        Instant.now(),
                        data,
                        null,
                        true,
                        false,
                        null,
                        null,
                        null,
                        false)
                .write(folder.resolve("state"));
    }

    /** Otherwise it is noticed only when the backup is needed. */
    @Test
    void a_store_that_is_not_the_running_brokers_is_copied_only_when_it_is_named() {
        Path own = TestSqlite.in(folder.resolve("data"));
        Path theirs = TestSqlite.in(folder.resolve("theirs"));
        recorded("http://127.0.0.1:8321", theirs);
        assertThat(run("backup", "copy")).isEqualTo(1);
        assertThat(said())
                .contains("the broker at http://127.0.0.1:8321 uses SQLite in " + theirs + ", not SQLite in " + own);
        assertThat(folder.resolve("copy")).doesNotExist();

        assertThat(run("backup", "copy", "--data", own.toString())).isZero();
        assertThat(said()).contains("note: the broker at", "backed up SQLite in " + own);
        assertThat(run("backup", "copy2", "--data=" + theirs)).isZero();
        assertThat(said()).doesNotContain("note:");

        recorded("http://127.0.0.1:8321", own);
        assertThat(run("backup", "copy3")).isZero();
        assertThat(said()).doesNotContain("note:").contains("backed up SQLite in " + own);
    }

    @Test
    void a_broker_of_another_user_is_mentioned() throws IOException {
        Path own = TestSqlite.in(folder.resolve("data"));
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.createDirectories(folder.resolve("config"));
            Files.writeString(
                    folder.resolve("config").resolve("config.json"),
                    "{\"server\": {\"port\": " + broker.getLocalPort() + "}}");
            assertThat(run("backup", "copy")).isZero();
            assertThat(said())
                    .contains(
                            "something answers at http://127.0.0.1:" + broker.getLocalPort(),
                            "this is a copy of SQLite in " + own);
        }
    }

    @Test
    void a_restore_says_what_it_did_with_tokens() {
        String data = folder.resolve("data").toString();
        try (Broker broker = Broker.start(Config.in(folder.resolve("data")));
                BrokerClient caller = new BrokerClient(broker)) {
            for (String name : List.of("ann", "bob")) {
                caller.call("create_token", "name", name, "roles", List.of("worker"));
            }
            assertThat(run("backup", "copy", "--data", data)).isZero();
            caller.call("revoke_token", "token", "bob");
        }
        assertThat(run("restore", "copy", "--replace", "--data", data)).isZero();
        assertThat(said()).contains("revoked tokens: bob\n").doesNotContain("valid tokens");
        String other = folder.resolve("other").toString();
        assertThat(run("restore", "copy", "--data", other)).isZero();
        assertThat(said()).contains("valid tokens, as when the backup was made: ann, bob. If one was revoked");
        assertThat(run("restore", "copy", "--replace", "--revoke-tokens", "--data", other))
                .isZero();
        assertThat(said()).contains("revoked tokens: ann, bob\n");
        assertThat(run("backup", "copy2", "--revoke-tokens")).isEqualTo(2);
        assertThat(said()).contains("--revoke-tokens belongs to 'restore'");
    }

    @Test
    void wrong_words_are_told_and_nothing_is_written() {
        assertThat(run("backup")).isEqualTo(2);
        assertThat(said()).isEqualTo("holdfast: FILE is missing: name the file\nTry: holdfast backup --help\n");
        assertThat(run("backup", "none/copy")).isEqualTo(1);
        assertThat(said()).contains("the folder " + folder.resolve("none") + " does not exist");
        assertThat(run("backup", "copy", "--data", folder.resolve("nothing").toString()))
                .isEqualTo(1);
        assertThat(said()).contains("there is no store");
        assertThat(folder.resolve("copy")).doesNotExist();
        assertThat(run("restore", "nothing")).isEqualTo(1);
    }
}
