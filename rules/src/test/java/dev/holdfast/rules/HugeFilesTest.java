package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HugeFilesTest {
    private final Rule rule = new HugeFiles();

    private static String[] lines(int count) {
        String[] lines = new String[count];
        Arrays.fill(lines, "line");
        return lines;
    }

    @Test
    void a_file_with_too_many_new_lines_is_found() {
        assertThat(new SampleDiff().created("data/all.sql", lines(3_001)).places(rule))
                .containsExactly("data/all.sql:1");
        assertThat(new SampleDiff().created("data/all.sql", lines(3_000)).places(rule))
                .isEmpty();
    }

    @Test
    void lock_files_may_be_long() {
        assertThat(new SampleDiff()
                        .created("web/package-lock.json", lines(9_000))
                        .created("Cargo.lock", lines(9_000))
                        .places(rule))
                .isEmpty();
    }

    @Test
    void a_file_that_is_deleted_may_be_long() {
        assertThat(new SampleDiff().deleted("data/all.sql", lines(9_000)).places(rule))
                .isEmpty();
    }

    @Test
    void minified_code_is_found_at_its_line() {
        assertThat(new SampleDiff()
                        .created("web/app.min.js", "// ok", "x".repeat(5_001))
                        .places(rule))
                .containsExactly("web/app.min.js:2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "web/node_modules/x/index.js",
                "app/__pycache__/a.pyc",
                "lib/Orders.class",
                ".DS_Store",
                "target/classes/a.xml"
            })
    void products_of_other_files_are_found(String path) {
        assertThat(new SampleDiff().created(path, "x").places(rule)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/target/Target.java",
                "docs/build.md",
                "build/Build.java",
                "src/classes.ts",
                "gradle/wrapper/gradle-wrapper.jar"
            })
    void files_with_similar_names_are_fine(String path) {
        assertThat(new SampleDiff().created(path, "x").places(rule)).isEmpty();
    }

    @Test
    void a_large_binary_file_is_found_and_a_small_one_is_not() {
        String data = "literal %d\nzcmV;K0RR91\n\nliteral 0\nHcmV?d00001\n";

        assertThat(new SampleDiff().binary("video.bin", data.formatted(5 << 20)).places(rule))
                .hasSize(1);
        assertThat(new SampleDiff().binary("logo.png", data.formatted(20_000)).places(rule))
                .isEmpty();
    }
}
