package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.FolderConfig;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.TrustedSettings;
import dev.holdfast.broker.config.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeSettingsTest {
    @TempDir
    Path folder;

    @Test
    void flags_beat_the_environment_and_that_beats_the_file() throws IOException {
        write("user/holdfast/config.json", """
                {"server": {"port": 1}, "store": {"data": "/file", "database": "postgres://file/x", "connections": 7}}""");
        Map<String, String> environment =
                Map.of("HOLDFAST_DATA", "/environment", "HOLDFAST_DATABASE", "postgres://env/x");

        Config config = of(environment).config(List.of("--data", "/flag", "--port=2"));

        assertThat(config.server().port()).isEqualTo(2);
        assertThat(config.store()).isEqualTo(new Config.Storage(Path.of("/flag"), "postgres://env/x", null, 7));
    }

    @Test
    void the_address_past_a_pooler_comes_from_the_environment_or_a_file_and_needs_that_of_the_pooler()
            throws IOException {
        Map<String, String> environment = Map.of(
                "HOLDFAST_DATABASE", "postgres://pooler:6432/x", "HOLDFAST_DIRECT_DATABASE", "postgres://db:5432/x");
        Config config = of(environment).config(List.of());
        assertThat(config.store().database()).isEqualTo("postgres://pooler:6432/x");
        assertThat(config.store().withoutPooler()).isEqualTo("postgres://db:5432/x");
        write("user/holdfast/config.json", "{\"store\": {\"direct_database\": \"postgres://db/x\"}}");
        assertThatThrownBy(() -> of(Map.of()).config(List.of()))
                .hasMessageContaining("store.direct_database: given without store.database");
    }

    @Test
    void the_file_is_the_named_one_or_the_users_and_is_told() throws IOException {
        write("user/holdfast/config.json", "{\"server\": {\"port\": 1}}");
        ServeSettings serveSettings = of(Map.of());
        assertThat(serveSettings.config(List.of()).server().port()).isEqualTo(1);
        assertThat(serveSettings.notices()).containsExactly("uses " + folder.resolve("user/holdfast/config.json"));
        write("named.json", "{\"server\": {\"port\": 3}}");
        Map<String, String> environment = Map.of("HOLDFAST_CONFIG", "named.json");
        assertThat(of(environment).config(List.of()).server().port()).isEqualTo(3);
        write("flag.json", "{\"server\": {\"port\": 4}}");
        assertThat(of(environment)
                        .config(List.of("--config", "flag.json"))
                        .server()
                        .port())
                .isEqualTo(4);
        ServeSettings missing = of(Map.of());
        assertThatThrownBy(() -> missing.config(List.of("--config", "nope.json")))
                .hasMessageContaining("nope.json");
        assertThat(missing.notices()).isEmpty();
    }

    @Test
    void a_password_on_the_command_line_is_told_as_others_can_see_it() {
        ServeSettings serveSettings = of(Map.of());
        serveSettings.config(List.of("--database", "postgres://ann:swordfish@db/x"));
        assertThat(serveSettings.notices())
                .singleElement()
                .asString()
                .contains("every user of this machine can see the password in --database", "HOLDFAST_DATABASE")
                .doesNotContain("swordfish");
    }

    @Test
    void the_predecessors_variables_are_honoured_with_a_notice() throws IOException {
        write("old.json", "{\"reviewer_pool\": null, \"review\": {}, \"server\": {\"port\": 5}}");
        ServeSettings serveSettings = of(Map.of(
                "BROKER_HOST",
                "localhost",
                "BROKER_DB_PATH",
                "/old/broker.sqlite3",
                "BROKER_CONFIG_PATH",
                "old.json",
                "BROKER_REPO_ROOT",
                folder.toString()));

        Config config = serveSettings.config(List.of());

        assertThat(config.server().host()).isEqualTo("localhost");
        assertThat(config.server().port()).isEqualTo(5);
        assertThat(config.store().data()).isEqualTo(Path.of("/old"));
        assertThat(serveSettings.notices())
                .hasSize(4)
                .anySatisfy(notice -> assertThat(notice).contains("BROKER_REPO_ROOT", "workspace"))
                .anySatisfy(notice -> assertThat(notice).contains("BROKER_HOST", "--host"))
                .anySatisfy(notice -> assertThat(notice).contains("BROKER_DB_PATH", "HOLDFAST_DATA"))
                .anySatisfy(notice -> assertThat(notice).contains("HOLDFAST_CONFIG", "reviewer_pool"));
    }

    @Test
    void the_predecessors_pool_is_read_when_there_is_no_file_of_ours() throws IOException {
        write(
                ".planning/config.json",
                "{\"mode\": \"x\", \"review\": {\"enabled\": true}, \"reviewer_pool\":"
                        + " {\"workspace_path\": \"auto\", \"idle_timeout_seconds\": 120.0, \"scaling_ratio\": 2.5}}");
        new TrustedSettings(folders()).add(FolderConfig.at(folder.resolve(".planning/config.json")));
        ServeSettings serveSettings = of(Map.of());
        Config config = serveSettings.config(List.of());
        PoolConfig pool = Objects.requireNonNull(config.pool());
        assertThat(pool.size().idle()).isEqualTo(Duration.ofMinutes(2));
        assertThat(pool.size().ratio()).isEqualTo(2.5);
        assertThat(serveSettings.notices()).singleElement().asString().contains(".planning", "which you trust");

        write(".holdfast/config.json", "{}");
        assertThat(of(Map.of()).config(List.of()).pool()).isNull();
    }

    @Test
    void a_file_of_the_predecessor_without_a_pool_is_not_spoken_of() throws IOException {
        write(".planning/config.json", "{\"mode\": \"x\"}");
        ServeSettings serveSettings = of(Map.of());
        assertThat(serveSettings.config(List.of()).pool()).isNull();
        assertThat(serveSettings.notices()).isEmpty();
    }

    @Test
    void a_file_of_the_predecessor_that_is_named_and_has_no_pool_is_not_called_honoured() throws IOException {
        write("old.json", "{\"mode\": \"x\"}");
        ServeSettings serveSettings = of(Map.of("BROKER_CONFIG_PATH", "old.json"));
        assertThat(serveSettings.pool(serveSettings.config(List.of())))
                .isEqualTo("the reviewer pool is off: no reviewer_pool in " + folder.resolve("old.json"));
        assertThat(serveSettings.notices())
                .singleElement()
                .asString()
                .startsWith("ignores " + folder.resolve("old.json"))
                .doesNotContain("honoured");
    }

    @Test
    void it_says_whether_the_pool_is_on_or_off_and_why() throws IOException {
        ServeSettings without = of(Map.of());
        assertThat(without.pool(without.config(List.of())))
                .isEqualTo(
                        "the reviewer pool is off, so reviews wait for people and other agents; reviewers that need no model"
                                + " run with: holdfast serve --reviewers rules");

        write(".holdfast/config.json", "{\"reviewer_pool\": {\"engine\": \"rules\"}}");
        Path file = folder.toRealPath().resolve(".holdfast/config.json");
        ServeSettings untrusted = of(Map.of());
        assertThat(untrusted.pool(untrusted.config(List.of())))
                .isEqualTo(
                        "the reviewer pool is off: reviewer_pool in " + file + " takes effect only once you trust it");

        new TrustedSettings(folders()).add(FolderConfig.at(file));
        ServeSettings trusted = of(Map.of());
        assertThat(trusted.pool(trusted.config(List.of())))
                .isEqualTo("the reviewer pool is on, by " + file
                        + ": engine rules, at most 3 reviewers, each bound to a folder, in " + folder);
    }

    @Test
    void what_is_wrong_with_the_flags_is_said() {
        assertWrong("unknown argument --prot; did you mean --port?", "--prot", "1");
        assertWrong("--port needs a value", "--port");
        assertWrong("--port: must be a number from 0 to 65535, not many", "--port", "many");
        assertWrong("--data is given twice", "--data", "a", "--data", "b");
        assertThatThrownBy(() -> of(Map.of("HOLDFAST_CONFIG", "none.json")).config(List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none.json: no such file");
    }

    @Test
    void the_ready_line_names_the_store_without_its_password() {
        Path data = Path.of("/data");
        assertThat(ServeCommand.described(new Config.Storage(data, null, null, 10)))
                .isEqualTo("SQLite in /data");
        for (String address : List.of(
                "postgres://me:secret@db:5433/x",
                "postgresql://me@db:5433/x?ssl=true",
                "jdbc:postgresql://db:5433/x?user=me&password=secret")) {
            assertThat(ServeCommand.described(new Config.Storage(data, address, null, 10)))
                    .isEqualTo("PostgreSQL at db:5433/x");
        }
        assertThat(ServeCommand.described(new Config.Storage(data, "postgres://db/x", null, 10)))
                .isEqualTo("PostgreSQL at db:5432/x");
        assertThat(ServeCommand.described(new Config.Storage(data, "jdbc:postgresql:x", null, 10)))
                .isEqualTo("PostgreSQL at localhost:5432/x");
    }

    @Test
    void a_log_level_that_does_not_exist_is_refused_with_those_that_do() {
        assertThatThrownBy(() -> of(Map.of("HOLDFAST_LOG_LEVEL", "verbose")).config(List.of()))
                .isInstanceOf(ServeSettings.UsageException.class)
                .hasMessageContaining(
                        "HOLDFAST_LOG_LEVEL must be one of trace, debug, info, warn, error, off, not 'verbose'");
        assertThat(of(Map.of("HOLDFAST_LOG_LEVEL", "Debug")).config(List.of())).isNotNull();
    }

    @Test
    void a_setting_to_change_belongs_in_the_named_file_and_otherwise_in_the_users() throws IOException {
        ServeSettings own = of(Map.of());
        own.config(List.of());
        assertThat(own.settingsFile()).isEqualTo(folder.resolve("user/holdfast/config.json"));
        write("named.json", "{}");
        ServeSettings named = of(Map.of("HOLDFAST_CONFIG", "named.json"));
        named.config(List.of());
        assertThat(named.settingsFile()).isEqualTo(folder.resolve("named.json"));
    }

    private void assertWrong(String message, String... arguments) {
        assertThatThrownBy(() -> of(Map.of()).config(List.of(arguments)))
                .isInstanceOf(ServeSettings.UsageException.class)
                .hasMessageContaining(message);
    }

    private ServeSettings of(Map<String, String> environment) {
        return new ServeSettings(environment, folder, folders());
    }

    private UserFolders folders() {
        return new UserFolders(folder.resolve("data"), folder.resolve("user/holdfast"), folder.resolve("state"));
    }

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
