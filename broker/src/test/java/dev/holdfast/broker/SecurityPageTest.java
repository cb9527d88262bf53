package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/security.md promises tests by name. */
class SecurityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Contract|Properties))(?:#(\\w+))?`");

    @Test
    void every_test_that_the_page_names_is_there() throws IOException {
        List<MatchResult> named = NAMED.matcher(Files.readString(ROOT.resolve("docs/security.md")))
                .results()
                .toList();

        assertThat(named).hasSizeGreaterThan(30).allSatisfy(test -> {
            String source = source(test.group(1));
            if (test.group(2) != null) {
                assertThat(source).as(test.group()).contains("void " + test.group(2) + "(");
            }
        });
    }

    private static String source(String name) throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                12,
                (path, _) -> path.endsWith(name + ".java") && path.toString().contains("src"))) {
            Path file = files.findFirst().orElseThrow(() -> new AssertionError("there is no " + name));
            return Files.readString(file);
        }
    }
}
