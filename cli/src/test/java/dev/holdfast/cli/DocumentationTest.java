package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.command.Command;
import dev.holdfast.testing.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/cli.md says is so. */
class DocumentationTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");

    @Test
    void every_command_line_on_the_page_is_understood() throws IOException {
        List<String> examples = Files.readAllLines(PAGE).stream()
                .filter(line -> line.contains("holdfast ") && !line.startsWith("|"))
                .filter(line -> line.startsWith("./holdfast ") || line.contains("$(./holdfast "))
                .toList();

        assertThat(examples).hasSizeGreaterThan(15);
        examples.forEach(Examples::assertUnderstood);
    }

    @Test
    void every_command_and_option_is_on_the_page() throws IOException {
        String page = Files.readString(PAGE);
        for (Command command : Commands.ALL) {
            assertThat(page).contains("`" + command.name());
            command.options().forEach(option -> assertThat(page).contains(option.name()));
        }
    }

    @Test
    void the_list_of_commands_on_the_page_is_that_of_the_program() throws IOException {
        StringBuilder list = new StringBuilder("| command | |\n| --- | --- |\n");
        for (Command command : Commands.ALL) {
            list.append("| `").append(command.name());
            command.parameters()
                    .forEach(parameter -> list.append(parameter.least() == 0 ? " [" : " ")
                            .append(parameter.name())
                            .append(parameter.least() == 0 ? "]" : "")
                            .append(parameter.max() > 1 ? "..." : ""));
            list.append("` | ").append(command.summary()).append(" |\n");
        }
        GeneratedPart.of("cli.md", "commands").mustBe(list.toString());
    }

    @Test
    void the_exit_codes_on_the_page_are_those_of_the_program() throws IOException {
        String page = Files.readString(PAGE);
        for (ExitCode exitCode : ExitCode.values()) {
            String codes = String.join(
                    ", ",
                    exitCode.codes().stream().map(code -> "`" + code + "`").toList());
            assertThat(page).contains("| " + exitCode.number() + " | " + exitCode.meaning() + " | " + codes + " |");
        }
    }
}
