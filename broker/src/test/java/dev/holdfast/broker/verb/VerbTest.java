package dev.holdfast.broker.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerbTest {
    private static final Verb ECHO = new Verb(
            "echo",
            "Says it again.",
            List.of(Field.text("text", 10, "what to say").must(), Field.flag("loud", "say it in capitals")),
            List.of(),
            Verb.Nature.READ,
            given -> Answer.of(Map.of(
                    "said", given.flag("loud") ? given.text("text").toUpperCase(Locale.ROOT) : given.text("text"))));

    @Test
    void a_field_that_is_null_counts_as_left_out() {
        assertThat(ECHO.call(json("{\"text\":\"a\",\"loud\":null}"), Origin.UNKNOWN)
                        .body())
                .containsEntry("said", "a");
        assertThat(ECHO.call(json("{\"text\":null}"), Origin.UNKNOWN).refusal()).isEqualTo(RefusalCode.INVALID);
    }

    @Test
    void every_refusal_of_the_engine_has_a_code() {
        List<String> codes = Arrays.stream(Refusal.class.getPermittedSubclasses())
                .filter(type -> type != Refusal.ByItsRules.class) // whose code is its domain's
                .map(type ->
                        type.getSimpleName().replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT))
                .toList();

        assertThat(codes)
                .isNotEmpty()
                .allSatisfy(code -> assertThat(RefusalCode.of(code)).isPresent());
    }

    @Test
    void the_schema_tells_what_is_checked() {
        JsonNode schema = JsonMapper.shared().valueToTree(JsonSchema.of(ECHO.arguments()));

        assertThat(schema.at("/properties/text/maxLength").asInt()).isEqualTo(10);
        assertThat(schema.path("required").get(0).asString()).isEqualTo("text");
        assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
