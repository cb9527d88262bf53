package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.config.Folders;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ShowConfigTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void settings_are_listed_with_values_default_and_meaning() {
        assertThat(run("settings", "work_seconds")).isZero();
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("""
                leases.work_seconds: a whole number from 1 to 86400; default: 2700
                    how long a claim on a work item lasts without a heartbeat (counts in a folder's file without trust)
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
                .contains("say 'holdfast config show', 'settings' or 'schema'");
    }

    private int run(String... words) {
        PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
        Folders folders = new Folders(folder, folder, folder.resolve("state"));
        return new ShowConfig(Map.of(), folder, folders, out, out).run(List.of(words));
    }
}
