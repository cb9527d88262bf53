package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.config.UserFolders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigCommandTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void settings_are_listed_with_values_default_and_meaning() {
        assertThat(run("settings", "work_seconds")).isZero();
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("""
                leases.work_seconds: a whole number from 1 to 86400; default: 2700
                    how long a claim on a work item lasts without a heartbeat (applies in a folder's file even without trust)
                """);
    }

    @Test
    void a_word_in_no_name_is_told() {
        assertThat(run("settings", "nonsense")).isEqualTo(2);
        assertThat(written.toString(StandardCharsets.UTF_8)).contains("no setting has 'nonsense' in its name");
    }

    @Test
    void the_schema_is_one_document_that_knows_every_section() {
        assertThat(run("schema")).isZero();
        JsonNode schema = JsonMapper.shared().readTree(written.toByteArray());
        assertThat(schema.path("properties").propertyNames())
                .contains("$schema", "server", "store", "leases", "reviews", "reviewer_pool", "limits");
        assertThat(schema.at("/properties/server/properties/port/default").asInt())
                .isEqualTo(8321);
        assertThat(schema.at("/properties/reviewer_pool/properties/limits/properties")
                        .propertyNames())
                .containsExactly("reviews_per_hour", "spawns_per_day");
    }

    @Test
    void what_is_not_understood_is_told_with_what_there_is() {
        assertThat(run("schema", "please")).isEqualTo(2);
        assertThat(run()).isEqualTo(2);
        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains("use 'holdfast config show', 'settings' or 'schema'");
    }

    @Test
    void settings_are_one_list_for_programs_too() {
        assertThat(run("settings", "work_seconds", "--json")).isZero();
        JsonNode document = JsonMapper.shared().readTree(written.toByteArray());
        assertThat(document.propertyNames()).containsExactly("settings");
        assertThat(document.path("settings")).hasSize(1);
        JsonNode setting = document.at("/settings/0");
        assertThat(setting.path("name").asString()).isEqualTo("leases.work_seconds");
        assertThat(setting.path("default").asString()).isEqualTo("2700");
        assertThat(setting.path("needs_trust").asBoolean()).isFalse();
        written.reset();
        assertThat(run("--json", "settings", "nonsense")).isEqualTo(2);
        JsonNode refused = JsonMapper.shared().readTree(written.toByteArray());
        assertThat(refused.path("code").asString()).isEqualTo("invalid");
        assertThat(refused.path("error").asString()).isEqualTo("no setting has 'nonsense' in its name");
    }

    @Test
    void settings_of_this_machine_are_not_shown_as_those_of_the_broker_that_commands_go_to() throws IOException {
        Map<String, String> elsewhere = Map.of("HOLDFAST_URL", "https://ann:secret@work.example:9000");
        assertThat(run(elsewhere, 0, "show")).isZero();
        assertThat(text())
                .startsWith("What 'holdfast serve' would use here. HOLDFAST_URL names another broker; these are"
                        + " not its settings: https://work.example:9000; this machine knows nothing else about it\n\n")
                .doesNotContain("secret");
        written.reset();
        Files.createDirectory(folder.resolve("theirs"));
        new BrokerRecord(
                        "http://127.0.0.1:9000",
                        ProcessHandle.current().pid(),
                        Instant.EPOCH,
                        folder.resolve("theirs"),
                        null,
                        true,
                        false,
                        null,
                        null,
                        null,
                        false)
                .write(folder.resolve("state"));
        Map<String, String> another = Map.of("HOLDFAST_URL", "http://localhost:9000");
        assertThat(run(another, 0, "show")).isZero();
        assertThat(text())
                .contains(
                        "these are not its settings: http://127.0.0.1:9000 has a broker, process ",
                        folder.resolve("theirs").toString(),
                        "no broker has been at this address");
        written.reset();
        assertThat(run(another, 0, "show", "--json")).isZero();
        JsonNode document = JsonMapper.shared().readTree(written.toByteArray());
        assertThat(document.path("other_url").asString()).isEqualTo("http://localhost:9000");
        assertThat(document.at("/other_broker/store").asString()).contains("theirs");
        for (String same : List.of("http://localhost:9000", "http://127.0.0.1:9000/", "http://127.0.0.1:9000")) {
            written.reset();
            assertThat(run(Map.of("HOLDFAST_URL", same), 0, "show", "--port", "9000"))
                    .isZero();
            assertThat(text()).as(same).doesNotContain("HOLDFAST_URL");
        }
    }

    @Test
    void on_a_narrow_terminal_sources_stand_below_their_settings_and_text_is_broken_at_spaces() {
        assertThat(run(Map.of(), 30, "show")).isZero();
        assertThat(text()).contains("server.host = \"127.0.0.1\"\n    default\nserver.port = 8321\n    default\n");
        written.reset();
        assertThat(run(Map.of(), 60, "settings", "work_seconds")).isZero();
        assertThat(text()).isEqualTo("""
                leases.work_seconds: a whole number from 1 to 86400;
                  default: 2700
                    how long a claim on a work item lasts without a
                    heartbeat (applies in a folder's file even without
                    trust)
                """);
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    private int run(String... words) {
        return run(Map.of(), 0, words);
    }

    private int run(Map<String, String> environment, int columns, String... words) {
        PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
        UserFolders folders = new UserFolders(folder, folder, folder.resolve("state"));
        return new ConfigCommand(new CommandContext(environment, folder, folders, () -> columns, out, out))
                .run(List.of(words));
    }
}
