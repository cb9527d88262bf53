package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.OddPhrases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What readers of the pages rely on: links lead somewhere, and the English is ordinary. */
class PagesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`]*`");

    @ParameterizedTest
    @MethodSource("pages")
    void every_link_leads_to_a_page_and_heading_that_exist(Path page) throws IOException {
        for (MatchResult link : LINK.matcher(withoutCode(page)).results().toList()) {
            if (link.group(1).startsWith("http")) {
                continue;
            }
            Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
            assertThat(target).as(link.group()).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).as(link.group()).contains(link.group(2));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void no_page_uses_a_phrase_that_reads_oddly(Path page) throws IOException {
        assertThat(OddPhrases.PATTERN.matcher(withoutCode(page)).results().map(MatchResult::group))
                .isEmpty();
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(ROOT::resolve),
                            docs.filter(path -> path.toString().endsWith(".md")))
                    .toList();
        }
    }

    /** As GitHub makes them of headings. */
    private static List<String> anchors(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
                .toList();
    }

    private static String withoutCode(Path page) throws IOException {
        return CODE.matcher(Files.readString(page)).replaceAll("");
    }
}
