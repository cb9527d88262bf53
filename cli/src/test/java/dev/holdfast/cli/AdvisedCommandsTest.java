package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Command lines that the dashboard tells people to type. */
class AdvisedCommandsTest {
    private static final Path PAGES = Path.of("..", "broker", "src", "main", "jte");
    private static final List<Pattern> SHOWN = List.of(
            Pattern.compile("line = \"(holdfast (?:\\\\.|[^\"\\\\])*)\""),
            Pattern.compile("<code>(holdfast [^<]*)</code>"),
            Pattern.compile("data-copy=\"(holdfast [^\"]*)\""));

    @Test
    void every_command_that_a_page_shows_is_understood() throws IOException {
        List<String> commands = new ArrayList<>();
        try (Stream<Path> files = Files.walk(PAGES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String page = Files.readString(file);
                SHOWN.forEach(pattern -> pattern.matcher(page)
                        .results()
                        .map(match -> match.group(1).replace("&quot;", "\"").replace("\\\"", "\""))
                        .forEach(commands::add));
            }
        }

        assertThat(commands).hasSizeGreaterThan(10);
        commands.forEach(Examples::assertUnderstood);
    }
}
