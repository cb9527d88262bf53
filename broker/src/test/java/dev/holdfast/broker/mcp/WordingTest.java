package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.testing.OddPhrases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How the broker's texts read, to people and to models. */
class WordingTest extends OnMcp {
    /** Not at the start of a line or literal: lists and code are indented, and columns apart. */
    private static final Pattern SEVERAL_SPACES = Pattern.compile("[^\\s\"] {2,}[^\\s\"]");

    /** An option of a command and what it means, in two columns. */
    private static final Pattern HELP = Pattern.compile("\\s+(-|[A-Z]+ ).*");

    private static final Pattern COMMENT = Pattern.compile("\\s*(//|\\*|/\\*).*");

    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

    private static final Pattern CODE = Pattern.compile("[;{}(),]\\s*(//.*)?$");

    @ParameterizedTest
    @MethodSource("answers")
    void no_text_has_two_spaces_in_a_row(String where, JsonNode answer) {
        assertThat(texts(answer))
                .as(where)
                .isNotEmpty()
                .allSatisfy(text -> assertThat(text).doesNotContainPattern(SEVERAL_SPACES));
    }

    @Test
    void no_setting_is_described_with_two_spaces_in_a_row() {
        assertThat(Setting.values())
                .allSatisfy(setting -> assertThat(setting.meaning()).doesNotContainPattern(SEVERAL_SPACES));
    }

    /** Where a text block lost the end of its line, and in refusals and log lines that no list has. */
    @ParameterizedTest
    @ValueSource(strings = {"git", "core", "rules", "broker"})
    void no_line_of_source_has_a_text_with_two_spaces_in_a_row(String module) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main"))) {
            for (Path file : files.filter(WordingTest::isText).toList()) {
                assertThat(Files.readAllLines(file).stream()
                                .filter(line -> !HELP.matcher(line).matches()
                                        && !COMMENT.matcher(line).matches()))
                        .as(file.toString())
                        .allSatisfy(line -> assertThat(line).doesNotContainPattern(SEVERAL_SPACES));
            }
        }
    }

    /** What the sources say to people and models: help, descriptions, refusals, log lines. Pages: {@code PagesTest}. */
    @ParameterizedTest
    @ValueSource(strings = {"git", "core", "rules", "broker", "cli"})
    void no_text_has_a_phrase_that_makes_a_native_speaker_stumble(String module) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main"))) {
            for (Path file : files.filter(file -> isText(file) || isPage(file)).toList()) {
                String text = Files.readAllLines(file).stream()
                        .filter(line -> !COMMENT.matcher(line).matches())
                        .map(line -> file.toString().endsWith(".java") ? literals(line) : line)
                        .collect(Collectors.joining("\n"));
                assertThat(text).as(file.toString()).doesNotContainPattern(OddPhrases.PATTERN);
            }
        }
    }

    /** What stands in quotes, or, as in a text block, without any. */
    private static String literals(String line) {
        return line.contains("\"")
                ? LITERAL.matcher(line).results().map(MatchResult::group).collect(Collectors.joining(" "))
                : CODE.matcher(line).find() ? "" : line;
    }

    private static boolean isText(Path file) {
        return Stream.of(".java", ".md", ".schema.json").anyMatch(file.toString()::endsWith);
    }

    private static boolean isPage(Path file) {
        return Stream.of(".jte", ".js").anyMatch(file.toString()::endsWith);
    }

    /** What models and programs are given to read, by where it is from. */
    Stream<Object[]> answers() {
        List<Object[]> answers = new ArrayList<>();
        answers.add(new Object[] {
            "OpenAPI", client.caller().get("/api/v1/openapi.json").body()
        });
        for (Toolset toolset : Toolset.values()) {
            answers.add(asked(toolset, "tools/list", "{}"));
            answers.add(asked(
                    toolset,
                    "initialize",
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                            + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}"));
        }
        for (String method : List.of("prompts/list", "resources/templates/list")) {
            answers.add(asked(Toolset.REVIEWS, method, "{}"));
        }
        for (String prompt : List.of("propose", "next")) {
            answers.add(asked(Toolset.REVIEWS, "prompts/get", "{\"name\":\"" + prompt + "\"}"));
        }
        return answers.stream();
    }

    private Object[] asked(Toolset toolset, String method, String params) {
        String message = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
        JsonNode result = client.post(toolset.path(), message).body().path("result");
        return new Object[] {toolset.path() + " " + method + " " + params, result};
    }

    /** Every text in it, however deep. */
    private static List<String> texts(JsonNode node) {
        return node.isString()
                ? List.of(node.stringValue())
                : node.values().stream().flatMap(value -> texts(value).stream()).toList();
    }
}
