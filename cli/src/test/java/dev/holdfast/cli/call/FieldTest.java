package dev.holdfast.cli.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldTest {
    private static final String PROPERTIES = """
            {"text": {"type": "string"}, "count": {"type": "integer"}, "share": {"type": "number"},
             "flag": {"type": "boolean"}, "list": {"type": "array"}, "object": {"type": "object"},
             "maybe": {"type": ["integer", "null"]}, "either": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}}""";

    @Test
    void values_get_the_types_that_the_verb_wants() throws NotJsonException {
        assertThat(input("text=5", "count=5", "share=0.5", "flag=true", "maybe=7", "either=false"))
                .isEqualTo("{\"text\":\"5\",\"count\":5,\"share\":0.5,\"flag\":true,\"maybe\":7,\"either\":false}");
    }

    @Test
    void lists_are_made_of_repeated_fields_or_json() throws NotJsonException {
        assertThat(input("list=a", "list=b", "list=[\"c\"]")).isEqualTo("{\"list\":[\"a\",\"b\",\"c\"]}");
        assertThat(input("object={\"a\":[1,null]}")).isEqualTo("{\"object\":{\"a\":[1,null]}}");
    }

    @Test
    void json_can_be_forced() throws NotJsonException {
        assertThat(input("text:=5", "new:={\"a\":1.50}")).isEqualTo("{\"text\":5,\"new\":{\"a\":1.50}}");
    }

    @Test
    void what_does_not_fit_is_left_to_the_broker_to_refuse() throws NotJsonException {
        assertThat(input("count=abc", "flag=yes", "unknown=1"))
                .isEqualTo("{\"count\":\"abc\",\"flag\":\"yes\",\"unknown\":\"1\"}");
    }

    @Test
    void a_value_may_have_an_equals_sign_and_be_empty() throws NotJsonException {
        assertThat(input("text=a=b", "other=")).isEqualTo("{\"text\":\"a=b\",\"other\":\"\"}");
    }

    @Test
    void words_that_are_no_fields_are_refused() {
        assertThatThrownBy(() -> input("text")).isInstanceOf(Failure.class).hasMessageContaining("name=VALUE");
        assertThatThrownBy(() -> input("=x")).isInstanceOf(Failure.class);
        assertThatThrownBy(() -> input("text=a", "text=b")).hasMessageContaining("twice");
        assertThatThrownBy(() -> input("text:={")).hasMessageContaining("not valid JSON");
    }

    @Test
    void schemas_are_found_through_references() throws NotJsonException {
        JsonObject openapi = JsonObject.of(Json.read("""
                {"paths": {"/api/v1/claim": {"post": {"requestBody": {"content": {"application/json":
                 {"schema": {"$ref": "#/components/schemas/claim"}}}}}}},
                 "components": {"schemas": {"claim": {"properties": {"ttl_seconds": {"type": "integer"}}}}}}"""));

        assertThat(VerbSchema.of(openapi, "claim").has("ttl_seconds")).isTrue();
        assertThat(VerbSchema.of(openapi, "other").members()).isEmpty();
    }

    private static String input(String... words) throws NotJsonException {
        Map<String, @Nullable Object> fields =
                Field.collect(Arrays.stream(words).map(Field::parse).toList(), JsonObject.of(Json.read(PROPERTIES)));
        return Json.write(fields);
    }
}
