package dev.holdfast.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands that run in the broker's JVM have their own help there, and a definition here for help and completion. */
class LauncherHelpTest {
    private static final Pattern USAGE = Pattern.compile("Usage: holdfast .*?\\n\\s*\\n", Pattern.DOTALL);
    private static final Pattern OPTION = Pattern.compile("--[a-z-]+");

    static Stream<Arguments> commands() {
        return Stream.of(
                Arguments.of("broker", "broker/ServeSettings", List.of(LauncherCommands.SERVE)),
                Arguments.of("broker", "broker/TrustCommand", List.of(LauncherCommands.TRUST)),
                Arguments.of(
                        "broker",
                        "broker/StoreCommands",
                        List.of(LauncherCommands.BACKUP, LauncherCommands.RESTORE, LauncherCommands.DOCTOR)),
                Arguments.of("rules", "rules/RulesCommand", List.of(LauncherCommands.RULES)));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void both_helps_know_the_same_options(String module, String source, List<Command> commands) throws IOException {
        String code = Files.readString(Path.of("..", module, "src/main/java/dev/holdfast", source + ".java"));
        Matcher usage = USAGE.matcher(code);
        assertThat(usage.find()).as("a usage in " + source).isTrue();

        assertThat(OPTION.matcher(usage.group()).results().map(MatchResult::group))
                .hasSameElementsAs(commands.stream()
                        .flatMap(command -> command.ownOptions().stream())
                        .map(Option::name)
                        .toList());
    }
}
