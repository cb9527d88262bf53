package dev.holdfast.cli.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class JsonTest {
    private static final int INPUTS = 20_000;

    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final JsonMapper JACKSON_WITH_COMMENTS = JsonMapper.builder(JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final String DOCUMENT = """
            {"a": [1, -0, 2.50, 1e3, -1E-2, 9223372036854775808, 12345678901], /* one */ "b": {"c": null, "d": true,},
             "e": "x\\u00e4\\n\\"\\ud83d\\ude00 \\/", // two
             "f": [], "g": {}, "": false, "a": "twice"}
            """;

    private static final List<String> PIECES = List.of(
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "/", "//", "/*", "*/", "\n", "\t", " ", "0", "1", "-", "+",
            ".", "e", "null", "true", "fals", "\u0000", "\ufeff", "\ud800", "ä");

    /** A damaged document is one only for both. */
    @Test
    void a_text_is_understood_as_jackson_understands_it() {
        Random random = new Random(7);
        int documents = 0;
        for (int i = 0; i < INPUTS; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? DOCUMENT : plain(DOCUMENT));
            for (int edits = random.nextInt(3); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                text.replace(
                        at,
                        Math.min(text.length(), at + random.nextInt(4)),
                        random.nextBoolean() ? "" : PIECES.get(random.nextInt(PIECES.size())));
            }
            String json = text.toString();
            assertThat(ours(json, false)).as(json).isEqualTo(jacksons(JACKSON, json));
            if (json.indexOf('\u0000') < 0) { // which Jackson refuses in comments too
                assertThat(ours(json, true)).as(json).isEqualTo(jacksons(JACKSON_WITH_COMMENTS, json));
            }
            documents += ours(json, true).startsWith("not JSON") ? 0 : 1;
        }
        assertThat(documents).isBetween(INPUTS / 10, INPUTS * 9 / 10);
    }

    @Test
    void what_is_written_is_read_back_by_jackson_too() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("nothing", null);
        object.put("text", "\" \\ / \b\f\n\r\t\u0000\u001f\u007f ä \ud83d\ude00");
        object.put("list", Arrays.asList(1, 2L, true, null, List.of(), Map.of()));
        String written = Json.write(object);
        assertThat(ours(written, false)).isEqualTo(JACKSON.writeValueAsString(object));
        assertThat(JACKSON.readValue(written, Object.class)).hasToString(object.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a": 1,}                | expected another entry at line 1, column 9
            {"a" 1}                  | expected a colon at line 1, column 6
            {a: 1}                   | expected a name in double quotes at line 1, column 2
            [1 2]                    | expected a comma or ] at line 1, column 4
            nonsense                 | expected a value at line 1, column 1
            [-]                      | expected a digit at line 1, column 3
            "\\x"                    | expected an escape such as \\n at line 1, column 3
            {"a": "b                 | it ends too early at line 1, column 9
            1 2                      | there is more after the end of the document at line 1, column 3
            1e9999999999             | a number is too large at line 1, column 13
            """)
    void a_problem_is_told_with_its_place(String text, String told) {
        assertThatThrownBy(() -> Json.read(text.strip()))
                .isInstanceOf(NotJsonException.class)
                .hasMessage(told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n "})
    void nothing_is_no_document(String text) {
        assertThatThrownBy(() -> Json.read(text)).hasMessageStartingWith("it is empty");
    }

    private static String plain(String text) {
        return text.replace("/* one */", "").replace("// two", "").replace("true,}", "true}");
    }

    private static String ours(String text, boolean annotated) {
        try {
            return JACKSON.writeValueAsString(annotated ? Json.readWithComments(text) : Json.read(text));
        } catch (NotJsonException e) {
            return "not JSON";
        }
    }

    private static String jacksons(JsonMapper mapper, String text) {
        try {
            return text.isBlank() ? "not JSON" : JACKSON.writeValueAsString(mapper.readValue(text, Object.class));
        } catch (JacksonException | NumberFormatException e) {
            return "not JSON";
        }
    }
}
