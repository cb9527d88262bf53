package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages that promise tests by name: every one of them is there. */
class NamedTestsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Contract|Properties))(?:#(\\w+))?`");

    @ParameterizedTest
    @CsvSource({"security.md, 30", "seeds.md, 100"})
    void every_test_that_the_page_names_is_there(String page, int atLeast) throws IOException {
        Map<String, String> sources = sources();
        List<MatchResult> named = NAMED.matcher(
                        Files.readString(ROOT.resolve("docs").resolve(page)))
                .results()
                .toList();

        assertThat(named).hasSizeGreaterThan(atLeast).allSatisfy(test -> {
            assertThat(sources).containsKey(test.group(1));
            if (test.group(2) != null) {
                assertThat(sources.get(test.group(1)))
                        .as(test.group())
                        .containsPattern("\\bvoid\\s+" + test.group(2) + "\\(");
            }
        });
    }

    /** By class; those of the same name in different packages together. */
    private static Map<String, String> sources() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                12,
                (path, _) -> path.toString().contains("src/test/java/")
                        && path.toString().endsWith(".java"))) {
            return files.collect(Collectors.toMap(
                    file -> file.getFileName().toString().replace(".java", ""), NamedTestsTest::text, String::concat));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
