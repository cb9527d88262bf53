package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.cli.command.FullParser;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Command lines as they stand in help and documentation. */
final class Examples {
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    private Examples() {}

    static void assertUnderstood(String example) {
        List<String> words = words(example);
        assertThatCode(() -> new FullParser(Commands.CATALOGUE).parse(words.subList(1, words.size())))
                .as(example)
                .doesNotThrowAnyException();
    }

    /** As a shell would split it: up to a pipe or a redirection, quotes taken away. */
    private static List<String> words(String example) {
        String command = example.substring(example.indexOf("holdfast"));
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find() && !List.of("|", ">", "&&", "#", "||").contains(matcher.group())) {
            words.add(matcher.group().replaceAll("['\"]", "").replaceAll("\\)$", ""));
        }
        return words;
    }
}
