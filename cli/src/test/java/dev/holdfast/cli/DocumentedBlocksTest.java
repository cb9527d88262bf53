package dev.holdfast.cli;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command of README and docs is run, in a repository that is not Holdfast's own, and ends as the page says. */
@Timeout(300)
class DocumentedBlocksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern ENDS = Pattern.compile("exit code (\\d+)");

    /** Not run, and why. A name at the end stands for all that begins so. */
    private static final Map<String, String> LEFT_OUT = Map.ofEntries(
            entry("holdfast demo", "DemoTest runs it"),
            entry("holdfast serve", "it ends only when it is stopped: ServeCommandTest, FirstCommitTest"),
            entry("HOLDFAST_DATABASE=", "there is no such server"),
            entry("holdfast test", "that is what runs this test"),
            entry("holdfast bench", "it measures for minutes"),
            entry("holdfast events --follow", "it ends only when it is stopped: FollowingTest"),
            entry("holdfast task watch TASK", "that task does not end here; cli.md's does"),
            entry("holdfast import gsd-review-broker", "it needs the predecessor's database: SqliteImportTest"),
            entry("holdfast completion zsh", "the folder is a variable of zsh: CompletionTest"),
            entry("claude mcp add", "it needs Claude Code: RealHostsTest"),
            entry("sudo ", "it changes the machine"));

    /** What does not end with 0 here, and is not said on the page to. */
    private static final Map<String, Integer> ENDS_WITH = Map.ofEntries(
            entry("holdfast stop", 4), // the broker is part of this test: StatusTest stops one
            entry("holdfast logs", 4),
            entry("holdfast pool", 5), // there is none: CommandsTest looks after one
            entry("holdfast gate", 8), // nobody has approved it
            entry("holdfast gate --propose", 0),
            entry("holdfast gate --range", 0),
            entry("holdfast gate --override", 0),
            entry("holdfast trust", 2), // nobody to ask
            entry("holdfast trust --list", 0),
            entry("holdfast trust --revoke", 4)); // it was not trusted

    static Stream<String> pages() throws Exception {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                    Stream.of("README.md"),
                    docs.filter(page -> page.toString().endsWith(".md"))
                            .map(page -> ROOT.relativize(page).toString())
                            .sorted())
                    .filter(page -> !commands(page).isEmpty())
                    .toList()
                    .stream();
        }
    }

    private static List<DocumentedCommand> commands(String page) {
        try {
            return DocumentedCommand.of(ROOT.resolve(page));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void every_command_on_the_page_ends_as_it_says(String page, @TempDir Path folder) throws Exception {
        try (DocumentedStage stage = DocumentedStage.build(folder)) {
            for (DocumentedCommand command : commands(page)) {
                if (command.text().isEmpty() || named(LEFT_OUT, command.text()) != null) {
                    continue;
                }
                Ran ran = stage.run(command);
                String context = page + ": " + command.text() + "\n" + ran.out() + ran.err();
                if (command.comment().startsWith("stopped")) {
                    assertThat(ran.exitCode()).as(context).isNotZero();
                    assertThat(ran.err()).as(context).contains("not approved");
                } else {
                    assertThat(ran.exitCode()).as(context).isEqualTo(expected(command));
                }
            }
        }
    }

    private static int expected(DocumentedCommand command) {
        Matcher said = ENDS.matcher(command.comment());
        if (said.find()) {
            return Integer.parseInt(said.group(1));
        }
        Integer otherwise = named(ENDS_WITH, command.text());
        return otherwise == null ? 0 : otherwise;
    }

    /** Of the longest beginning that is known. */
    private static <T> @Nullable T named(Map<String, T> known, String text) {
        return known.entrySet().stream()
                .filter(each -> text.startsWith(each.getKey()))
                .max((one, other) ->
                        Integer.compare(one.getKey().length(), other.getKey().length()))
                .map(Map.Entry::getValue)
                .orElse(null);
    }

    @Test
    void nothing_is_left_out_that_is_on_no_page() throws Exception {
        Map<String, Boolean> found = new LinkedHashMap<>();
        List<DocumentedCommand> all =
                pages().flatMap(page -> commands(page).stream()).toList();
        Stream.concat(LEFT_OUT.keySet().stream(), ENDS_WITH.keySet().stream())
                .forEach(beginning -> found.put(
                        beginning,
                        all.stream().anyMatch(command -> command.text().startsWith(beginning))));
        assertThat(found.values()).as(found.toString()).doesNotContain(false);
        assertThat(all).hasSizeGreaterThan(150);
    }
}
