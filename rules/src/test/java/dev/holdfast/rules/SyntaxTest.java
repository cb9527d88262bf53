package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.review.diff.Diff;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyntaxTest {
    private static final String COMMA_TOO_MANY = """
            diff --git a/a.json b/a.json
            --- a/a.json
            +++ b/a.json
            @@ -1,4 +1,4 @@
             {
               "a": 1,
            -  "b": 2
            +  "b": 2,
             }
            """;

    private final Rule rule = new Syntax();

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a.json     | {\"a\": 1,                 | JSON | 1",
                "a.json     | {\"a\": 1} x               | JSON | 1",
                "a.json     | {\"a\": 1, // no\\n\"b\":2} | JSON | 1",
                "a.yaml     | a: 1\\nb: [1, 2\\nc: 3      | YAML | 3",
                "a.yml      | a: 1\\n\\tb: 2              | YAML | 2",
                "pom.xml    | <a>\\n<b></a>              | XML  | 2",
                "a.svg      | <svg><path</svg>           | XML  | 1",
                "a.toml     | a = 1\\nb =                 | TOML | 2",
                "a.toml     | [a\\nb = 1                  | TOML | 1"
            })
    void what_cannot_be_read_is_found_at_its_line(String path, String text, String kind, int line) {
        assertThat(new SampleDiff()
                        .created(path, text.translateEscapes().split("\n"))
                        .by(rule, Contents.OF_THE_DIFF))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.message())
                            .startsWith("not valid " + kind)
                            .doesNotContain("\n");
                    assertThat(finding.line()).isEqualTo(line);
                    assertThat(finding.blocks()).isTrue();
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a.json                | {\"a\": [1, null]}",
                "tsconfig.json         | {\"a\": 1, /* yes */}",
                ".vscode/settings.json | // yes\\n{\"a\": 1,}",
                "a.jsonl               | {\"a\": 1}\\n{\"a\": 2}",
                "a.yaml                | a: 1\\n---\\nb: !custom {c: 2}",
                "chart/a.yaml          | a: {{ .Values.a }}\\n{{- if x }}\\nb: 1",
                "a.xml                 | <!DOCTYPE html><a>&nbsp;</a>",
                "a.xml                 | <?xml version=\"1.0\"?><a xmlns:x=\"y\"><x:b/></a>",
                "a.toml                | a = 1\\n[b]\\nc = \"d\"\\nd = 2024-01-01",
                "a.txt                 | {"
            })
    void what_can_be_read_is_fine(String path, String text) {
        assertThat(new SampleDiff()
                        .created(path, text.translateEscapes().split("\n"))
                        .by(rule, Contents.OF_THE_DIFF))
                .isEmpty();
    }

    @Test
    void a_changed_file_is_checked_with_the_workspaces_file_as_it_was() throws Exception {
        Files.writeString(folder.resolve("a.json"), "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
        assertThat(check(COMMA_TOO_MANY)).containsExactly("a.json:4");
        assertThat(check(COMMA_TOO_MANY.replace("+  \"b\": 2,", "+  \"b\": 3"))).isEmpty();
    }

    @Test
    void a_changed_file_that_has_the_change_already_is_checked_as_it_is() throws Exception {
        Files.writeString(folder.resolve("a.json"), "{\n  \"a\": 1,\n  \"b\": 2,\n}\n");

        assertThat(check(COMMA_TOO_MANY)).containsExactly("a.json:4");
    }

    @Test
    void a_file_that_cannot_be_had_whole_is_said_not_to_be_checked() throws Exception {
        Files.writeString(folder.resolve("a.json"), "another file\n");

        assertThat(new SampleDiff().changed("a.json", " \"a\": 1,", "+\"b\": ]").by(rule, new FolderContents(folder)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.NOTE);
                    assertThat(finding.message()).contains("not checked as JSON");
                });
    }

    @Test
    void nothing_outside_of_the_folder_is_read() throws Exception {
        Path inside = Files.createDirectory(folder.resolve("inside"));
        Files.writeString(folder.resolve("secret.json"), "{\n\"a\": 1\n}\n");
        Files.createSymbolicLink(inside.resolve("link.json"), folder.resolve("secret.json"));
        Contents contents = new FolderContents(inside);
        String change = """
            diff --git a/PATH b/PATH
            --- a/PATH
            +++ b/PATH
            @@ -1,3 +1,3 @@
             {
            -"a": 1
            +"a": ]
             }
            """;

        for (String path : new String[] {
            "../secret.json", "link.json", folder.resolve("secret.json").toString()
        }) {
            assertThat(((Diff) Diff.parse(change.replace("PATH", path)))
                            .files().stream()
                                    .flatMap(file -> contents
                                            .after(file, file.hunks().getFirst().lines())
                                            .stream()))
                    .as(path)
                    .isEmpty();
        }
    }

    @Test
    void an_xml_file_cannot_make_us_read_other_files() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "<unclosed>");

        assertThat(new SampleDiff()
                        .created("a.xml", "<!DOCTYPE a [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]>", "<a>&x;</a>")
                        .places(rule))
                .isEmpty();
    }

    private List<String> check(String diff) {
        return Judgement.of(diff, Rules.without(Set.of("whitespace")), new FolderContents(folder)).findings().stream()
                .map(finding -> finding.path() + ":" + finding.line())
                .toList();
    }
}
