package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/heavy.md has a row for every heavy test in the sources of every module, and no other rows. */
class HeavyRowsTest {
    private static final Path PAGE = Path.of("../docs/heavy.md");
    private static final String END = "\n<!-- end of heavy -->";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+#\\w+)");
    private static final Pattern CLASS = Pattern.compile("(?m)^((?:@.*\\n)*)(?:public |final |abstract )*class (\\w+)");
    private static final Pattern METHOD = Pattern.compile(
            "(?m)^((?:    @.*\\n(?:            .*\\n)*)*    @(?:Test|ParameterizedTest|Property|RepeatedTest)\\b.*\\n"
                    + "(?:    [@ ].*\\n)*?)    (?:public )?void (\\w+)\\(");
    private static final String HEAVY = "@Tag(\"heavy\")";

    @Test
    void every_heavy_test_has_a_row_and_every_row_a_test() throws IOException {
        SortedSet<String> tests = heavyTests();
        assertThat(tests).hasSizeGreaterThan(20);
        if (System.getenv("HOLDFAST_WRITE_DOCS") != null) {
            write(tests);
        }
        assertThat(rows(Files.readString(PAGE)))
                .as("HOLDFAST_WRITE_DOCS=1 adds rows that say \"not run\"")
                .isEqualTo(tests);
    }

    private static void write(SortedSet<String> tests) throws IOException {
        String page = Files.readString(PAGE);
        SortedSet<String> missing = new TreeSet<>(tests);
        missing.removeAll(rows(page));
        String rows = missing.stream()
                .map(test -> "| `" + test + "` | not run | | |\n")
                .collect(Collectors.joining());
        Files.writeString(PAGE, page.replace(END, rows + END));
    }

    private static SortedSet<String> rows(String page) {
        return ROW.matcher(page).results().map(row -> row.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> heavyTests() throws IOException {
        List<String> sources = new ArrayList<>();
        for (String module : List.of("git", "core", "rules", "broker", "cli", "bench")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(HeavyRowsTest::text)
                        .forEach(sources::add);
            }
        }
        SortedSet<String> tests = new TreeSet<>();
        for (String source : sources) {
            Matcher type = CLASS.matcher(source);
            if (source.contains(HEAVY) && type.find()) {
                boolean all = type.group(1).contains(HEAVY);
                List<String> methods = METHOD.matcher(source)
                        .results()
                        .filter(method -> all || method.group(1).contains(HEAVY))
                        .map(method -> method.group(2))
                        .toList();
                assertThat(methods).as(type.group(2)).isNotEmpty();
                classes(type.group(2), sources)
                        .forEach(name -> methods.forEach(method -> tests.add(name + "#" + method)));
            }
        }
        return tests;
    }

    /** The class itself or, for a contract, the classes that extend it. */
    private static List<String> classes(String name, List<String> sources) {
        if (!name.endsWith("Contract")) {
            return List.of(name);
        }
        Pattern extended = Pattern.compile("(?m)^(?:final )?class (\\w+) extends " + name + "\\b");
        return sources.stream()
                .flatMap(source -> extended.matcher(source).results())
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
