package dev.holdfast.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.Kind;
import dev.holdfast.testing.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigTest {
    @TempDir
    Path folder;

    @Test
    void without_anything_everything_has_a_default() {
        Config config = Config.of(new Settings());

        assertThat(config.server())
                .isEqualTo(new Config.Server(
                        "127.0.0.1",
                        8321,
                        LoopbackAccess.OPEN,
                        UserFolders.ofThisUser().state()));
        assertThat(config.store().database()).isNull();
        assertThat(config.leases().byKind()).containsEntry(Kind.WORK, Duration.ofMinutes(45));
        assertThat(config.limits())
                .isEqualTo(new Config.Limits(32 << 20, Duration.ofSeconds(55), 1_000, 500, 2_000, 20_000, 4_000));
    }

    @Test
    void a_file_may_have_comments() throws IOException {
        Config config = Config.of(read("""
                {
                  // the team's
                  "$schema": "config.schema.json",
                  "server": {"port": 9000},
                  "leases": {"work_seconds": 600, /* at most: */ "longest_seconds": 900},
                }
                """));

        assertThat(config.server().port()).isEqualTo(9000);
        assertThat(config.leases().byKind())
                .containsEntry(Kind.WORK, Duration.ofMinutes(10))
                .containsEntry(Kind.STEP, Duration.ofMinutes(15))
                .containsEntry(Kind.BROKER, Duration.ofSeconds(30));
    }

    @Test
    void a_text_with_a_nul_character_is_a_wrong_setting() {
        assertThatThrownBy(() -> Config.of(read("""
                        {"store": {"data": "/tmp/a\\u0000b"}, "reviews": {"projects": {"shop": "/a\\u0000b"}}}
                        """)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("store.data: must be")
                .hasMessageContaining("reviews.projects: must be");
    }

    @Test
    void a_path_with_half_a_character_is_a_wrong_setting() {
        assertThatThrownBy(() -> Config.of(read("""
                        {"reviews": {"workspace": "/tmp/\\ud800"}}
                        """)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("reviews.workspace: ")
                .hasMessageContaining("cannot be a path on this system");
    }

    @Test
    void a_file_that_is_nested_too_deeply_is_refused_in_words() {
        assertThatThrownBy(() -> Config.of(read("[".repeat(2_000) + "]".repeat(2_000))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("not valid JSON")
                .hasMessageContaining("nesting depth");
    }

    @Test
    void what_can_be_the_address_of_no_database_is_a_wrong_setting() {
        assertThatThrownBy(() -> Config.of(new Settings().put(Setting.DATABASE, "nonsense")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "store.database: not a database address: 'nonsense'; it looks like postgres://");
    }

    @Test
    void every_problem_is_listed_with_its_path() {
        assertThatThrownBy(() -> Config.of(read("""
                        {
                          "sever": {},
                          "server": {"prot": 1, "port": 70000, "host": " "},
                          "store": {"data": 7},
                          "leases": {"work_seconds": 0, "step_seconds": 700, "longest_seconds": 600},
                          "retention": {"events_days": "ten"},
                          "limits": []
                        }
                        """)))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "sever: no such section; did you mean server?",
                                        "server.prot: no such setting; did you mean port?",
                                        "server.port: must be from 0 to 65535, not 70000",
                                        "server.host: must not be blank; leave it out for the default",
                                        "store.data: must be text, not 7",
                                        "leases.work_seconds: must be from 1 to 86400, not 0",
                                        "retention.events_days: must be a whole number from 1 to 3650, not \"ten\"",
                                        "limits: must be an object with body_bytes, calls_per_second, concurrent_calls, connections, connections_per_address, wait_seconds, list",
                                        "leases.step_seconds: 700 is longer than leases.longest_seconds, which is 600"));
    }

    @Test
    void without_the_section_there_is_no_pool_and_an_empty_one_has_every_default() throws IOException {
        assertThat(Config.of(read("{}")).pool()).isNull();
        PoolConfig pool = Objects.requireNonNull(
                Config.of(read("{\"reviewer_pool\": {}}")).pool());
        assertThat(pool.engine().name()).isEqualTo("codex");
        assertThat(pool.model()).isEqualTo(new PoolConfig.Model("gpt-5.3-codex", "high", Map.of()));
        assertThat(pool.size())
                .isEqualTo(new PoolConfig.Size(
                        3,
                        3,
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(5),
                        Duration.ofHours(1),
                        Duration.ofSeconds(30)));
        assertThat(pool.limits()).isEqualTo(new PoolConfig.Limits(null, null, 256 << 20));
    }

    @Test
    void reviewers_by_rules_need_no_template_and_all_others_do() throws IOException {
        String pool = "{\"reviewer_pool\": {\"engine\": \"%s\", \"prompt_template_path\": \"/no/such/file\"}}";
        assertThat(Objects.requireNonNull(
                                Config.of(read(pool.formatted("rules"))).pool())
                        .prompt())
                .isNull();
        assertThat(Objects.requireNonNull(
                                Config.of(read(pool.formatted("claude"))).pool())
                        .prompt())
                .isEqualTo(Path.of("/no/such/file"));
    }

    @Test
    void every_problem_of_the_pool_is_listed() {
        assertThatThrownBy(() -> Config.of(read("""
                        {
                          "leases": {"review_seconds": 600},
                          "reviewer_pool": {
                            "engine": "gpt", "model": "gpt-2; rm -rf /", "reasoning_effort": "extreme",
                            "workspace_path": "/no/such/folder", "max_pool_size": 11, "scaling_ratio": 0.5,
                            "spawn_cooldown_seconds": 0, "idle_timeout_seconds": 59, "max_ttl_seconds": 299,
                            "claim_timeout_seconds": 1200, "background_check_interval_seconds": 4,
                            "limits": {"spawns_per_dya": 3},
                            "environment": ["A=B"], "max_pol_size": 3, "log_bytes": 1000
                          }
                        }
                        """)))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .satisfiesExactlyInAnyOrder(
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.engine: must be one of codex, claude"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.model: Unsupported model: 'gpt-2; rm"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.reasoning_effort: must be one of low"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.workspace_path: workspace_path does not"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.max_pool_size: must be from 1 to 10"),
                                        p -> assertThat(p).startsWith("reviewer_pool.scaling_ratio: must be from 1"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.spawn_cooldown_seconds: must be from 1"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.idle_timeout_seconds: must be from 60"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.max_ttl_seconds: must be from 300"),
                                        p -> assertThat(p)
                                                .startsWith("reviewer_pool.claim_timeout_seconds: is 1200, but"),
                                        p -> assertThat(p)
                                                .contains("background_check_interval_seconds: must be from 5"),
                                        p -> assertThat(p)
                                                .contains("spawns_per_dya: no such limit; did you mean spawns_per_day"),
                                        p -> assertThat(p).startsWith("reviewer_pool.log_bytes: must be from 1048576"),
                                        p -> assertThat(p).contains("'A=B' is not a valid variable name"),
                                        p -> assertThat(p)
                                                .contains(
                                                        "max_pol_size: no such setting; did you mean max_pool_size?")));
    }

    @Test
    void the_claim_timeout_is_the_lease_of_reviews() throws IOException {
        assertThat(Config.of(read("{\"reviewer_pool\": {\"claim_timeout_seconds\": 600}}"))
                        .leases()
                        .byKind())
                .containsEntry(Kind.REVIEW, Duration.ofMinutes(10));
        assertThat(Config.of(
                                read(
                                        "{\"leases\": {\"review_seconds\": 600}, \"reviewer_pool\": {\"claim_timeout_seconds\": 600}}"))
                        .pool())
                .isNotNull();
    }

    @Test
    void the_engine_command_needs_a_command_and_no_other_takes_one() {
        assertThatThrownBy(() -> Config.of(read("{\"reviewer_pool\": {\"engine\": \"command\"}}")))
                .hasMessageContaining("reviewer_pool.command: must name the program");
        assertThatThrownBy(() -> Config.of(read("{\"reviewer_pool\": {\"command\": [\"x\"]}}")))
                .hasMessageContaining("reviewer_pool.command: applies only to the engine command");
    }

    @Test
    void what_is_not_json_is_told_with_its_place() throws IOException {
        assertThat(read("{\n  \"server\": {,}\n}").problems())
                .singleElement()
                .asString()
                .contains("config.json: not valid JSON in line 2, column");
        assertThat(ConfigFile.read(folder.resolve("none.json")).problems())
                .containsExactly(folder.resolve("none.json") + ": no such file");
    }

    @Test
    void the_page_of_settings_is_theirs() throws IOException {
        GeneratedPart.of("configuration.md", "settings").mustBe(SettingsHelp.tables());
    }

    @Test
    void the_schema_takes_what_the_code_takes() {
        for (Setting setting : Setting.values()) {
            JsonNode schema = JsonMapper.shared()
                    .valueToTree(ConfigSchema.document())
                    .at("/properties/" + setting.section() + "/properties/" + setting.key());
            assertThat(schema.path("description").asString()).startsWith(setting.meaning());
            if (setting.isNumber()) {
                assertThat(setting.problem(schema.path("minimum").asLong())).isEmpty();
                assertThat(setting.problem(schema.path("minimum").asLong() - 1)).isPresent();
                assertThat(setting.problem(schema.path("maximum").asLong())).isEmpty();
                assertThat(setting.problem(schema.path("maximum").asLong() + 1)).isPresent();
            }
            for (JsonNode choice : schema.path("enum")) {
                assertThat(new Settings().put(setting, choice.asString()).wrongChoices())
                        .isEmpty();
            }
        }
    }

    /** So none that is declared can be one that is refused when somebody writes it down. */
    @Test
    void every_default_is_a_value_that_may_be_given() {
        for (Setting setting : Setting.values()) {
            Object standard = setting.form().standard();
            if (standard != null) {
                Settings given = new Settings().put(setting, standard);
                assertThat(given.problems()).isEmpty();
                assertThat(given.wrongChoices()).isEmpty();
            }
        }
    }

    @Test
    void a_text_that_is_none_of_the_choices_is_refused_with_all_of_them() {
        Settings settings = new Settings().put(Setting.LOOPBACK, "shut").put(Setting.POOL_EFFORT, "most");

        assertThat(settings.wrongChoices())
                .containsExactly(
                        "server.loopback: must be open or token, not shut",
                        "reviewer_pool.reasoning_effort: must be one of low, medium, high, not most");
    }

    @Test
    void data_goes_where_the_operating_system_wants_it() {
        Path home = Path.of("/home/me");
        assertThat(UserFolders.of("Linux", home, Map.of()).data()).isEqualTo(Path.of("/home/me/.local/share/holdfast"));
        assertThat(UserFolders.of("Linux", home, Map.of("XDG_DATA_HOME", "/data"))
                        .data())
                .isEqualTo(Path.of("/data/holdfast"));
        assertThat(UserFolders.of("Linux", home, Map.of("XDG_DATA_HOME", "relative"))
                        .data())
                .isEqualTo(Path.of("/home/me/.local/share/holdfast"));
        assertThat(UserFolders.of("Mac OS X", home, Map.of()).data())
                .isEqualTo(Path.of("/home/me/Library/Application Support/holdfast"));
        assertThat(UserFolders.of("Windows 11", home, Map.of("LOCALAPPDATA", "/local"))
                        .data())
                .isEqualTo(Path.of("/local/holdfast"));
    }

    @Test
    void home_is_where_the_environment_says_and_a_relative_one_counts_as_none() {
        Path listed = Path.of(System.getProperty("user.home"));
        assertThat(UserFolders.home(Map.of("HOME", "/home/me"))).isEqualTo(Path.of("/home/me"));
        assertThat(UserFolders.home(Map.of("HOME", "me"))).isEqualTo(listed);
        assertThat(UserFolders.home(Map.of())).isEqualTo(listed);
        assertThat(UserFolders.of("Linux", Path.of("/home/me"), Map.of()).state())
                .isEqualTo(Path.of("/home/me/.local/state/holdfast"));
    }

    private Settings read(String text) throws IOException {
        return ConfigFile.read(Files.writeString(folder.resolve("config.json"), text));
    }
}
