package dev.holdfast.cli.settings;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.NotJsonException;
import org.junit.jupiter.api.Test;

class JsonDocumentTest {
    @Test
    void what_is_nested_too_deeply_is_refused_in_words() {
        String deep = "{\"a\":".repeat(20_000);
        assertThatThrownBy(() -> new JsonDocument(deep).root())
                .isInstanceOf(Failure.class)
                .hasMessageContaining("not valid JSON");
        assertThatThrownBy(() -> Json.read(deep))
                .isInstanceOf(NotJsonException.class)
                .hasMessageContaining("nesting depth");
    }

    @Test
    void what_is_no_json_is_refused_with_its_place() {
        assertThatThrownBy(() -> new JsonDocument("{\n  nonsense}").root())
                .isInstanceOf(Failure.class)
                .hasMessageContaining("not valid JSON, at line 2, column");
    }
}
