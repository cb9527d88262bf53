package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.testing.OddPhrases;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Help reads as a native-speaking engineer would write it; these phrases made one stumble. */
class HelpWordingTest {
    /** Beside those that no text has. */
    private static final Pattern ODD = Pattern.compile(
            "\\b(at most so many|mends?|(?<!there )is no (?!longer)\\w+|in no state|somebody|anybody|if you like|this very|was told|told you"
                    + "|tells others|none is|from before|stays good|goes? on|look after|known; answers|whatever"
                    + "|(?:does|do) not go (?:with|together))\\b",
            Pattern.CASE_INSENSITIVE);

    @ParameterizedTest
    @MethodSource("commands")
    void help_uses_ordinary_words(Command command) {
        assertThat(texts(command))
                .allSatisfy(text -> assertThat(text)
                        .doesNotContainPattern(OddPhrases.PATTERN)
                        .doesNotContainPattern(ODD));
        assertThat(command.summary()).endsWith(".").doesNotContain("  ");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void descriptions_of_options_and_parameters_are_sentences(Command command) {
        Stream<String> descriptions = Stream.concat(
                command.options().stream().map(Option::description),
                command.parameters().stream().map(Parameter::description));

        assertThat(descriptions)
                .allSatisfy(text -> assertThat(text).matches("(?s).*[.]").doesNotContain("  "));
    }

    private static List<Command> commands() {
        return Commands.ALL;
    }

    private static List<String> texts(Command command) {
        return Stream.of(
                        Stream.of(command.summary(), command.description()),
                        command.options().stream().map(Option::description),
                        command.parameters().stream().map(Parameter::description),
                        Stream.of(Commands.CATALOGUE.footer()),
                        Commands.CATALOGUE.groups().values().stream())
                .flatMap(all -> all)
                .toList();
    }
}
