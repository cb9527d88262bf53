package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.FullParser;
import dev.holdfast.cli.command.ParsedCommand;
import dev.holdfast.cli.command.QuickParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParsersTest {
    private static final FullParser FULL = new FullParser(Commands.CATALOGUE);

    private static final List<String> WORDS = Stream.concat(
                    Commands.ALL.stream()
                            .flatMap(command -> command.options().stream())
                            .flatMap(option -> Stream.of(option.name(), option.name() + "=5", option.name() + "=")),
                    Stream.of(
                            "claim",
                            "who",
                            "release",
                            "heartbeat",
                            "session",
                            "start",
                            "key:a",
                            "5",
                            "45m",
                            "-x",
                            "-1",
                            "--",
                            "-h",
                            "--help",
                            "a=b",
                            "",
                            "@file",
                            "\"q\"",
                            "--nope",
                            "--ttl=a=b",
                            "日本"))
            .distinct()
            .toList();

    @Test
    void the_quick_parser_never_understands_anything_differently() {
        Random random = new Random(20261115);
        int understood = 0;
        for (int i = 0; i < 20_000; i++) {
            List<String> words = new ArrayList<>();
            words.add(random.nextBoolean() ? "claim" : pick(random));
            for (int length = random.nextInt(6); length > 0; length--) {
                words.add(pick(random));
            }
            ParsedCommand quick = QuickParser.parse(Commands.ALL, words);
            if (quick != null) {
                understood++;
                assertThat(full(words)).as(words.toString()).isEqualTo(quick);
            }
        }
        assertThat(understood).isGreaterThan(500);
    }

    private static String pick(Random random) {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private static @Nullable ParsedCommand full(List<String> words) {
        return FULL.parse(words) instanceof FullParser.Outcome.Run(ParsedCommand parsed) ? parsed : null;
    }

    @Test
    void what_agents_type_in_loops_needs_no_picocli() {
        for (String line : List.of(
                "claim key:deploy",
                "claim key:deploy --holder alice --ttl 45m --json",
                "claim --next --label a --label b --wait=50s",
                "heartbeat",
                "heartbeat key:deploy --generation 3",
                "release key:deploy --generation 3 --keep-status",
                "who --json",
                "session end monday")) {
            assertThat(QuickParser.parse(Commands.ALL, List.of(line.split(" "))))
                    .as(line)
                    .isNotNull();
        }
    }

    @Test
    void options_may_stand_before_and_after_and_be_repeated() {
        ParsedCommand parsed = QuickParser.parse(
                Commands.ALL, List.of("claim", "--label", "a", "--next", "work", "--label=b", "--json"));

        assertThat(parsed)
                .extracting(found -> found.arguments().options())
                .isEqualTo(Map.of("--label", List.of("a", "b"), "--next", List.of(), "--json", List.of()));
    }

    @Test
    void options_of_all_commands_may_stand_before_the_command() {
        assertThat(full(List.of("--json", "--url", "http://127.0.0.1:1", "who")))
                .isEqualTo(QuickParser.parse(Commands.ALL, List.of("who", "--json", "--url", "http://127.0.0.1:1")));
    }

    @Test
    void a_wrong_word_is_refused_with_the_way_to_the_help() {
        assertThatThrownBy(() -> FULL.parse(List.of("claim", "key:a", "--tll", "3")))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("--tll")
                .hasMessageContaining("holdfast claim --help");
        assertThatThrownBy(() -> FULL.parse(List.of("clam"))).hasMessageContaining("claim");
        assertThatThrownBy(() -> FULL.parse(List.of("release"))).hasMessageContaining("RESOURCE");
        assertThatThrownBy(() -> FULL.parse(List.of("claim", "key:a", "--ttl"))).hasMessageContaining("--ttl");
    }

    @Test
    void a_wrong_word_is_answered_with_what_was_probably_meant() {
        assertMeant("did you mean --next?", "claim", "--nxt");
        assertMeant("did you mean --ttl?", "claim", "key:a", "--tll", "5");
        assertMeant("did you mean --label?", "work", "list", "--lable=x");
        assertMeant("did you mean --everywhere?", "work", "list", "--every");
        assertMeant("unknown command 'wrk'; did you mean 'work'?", "wrk", "list");
        assertMeant("unknown command 'work lsit'; did you mean 'work list'?", "work", "lsit");
        assertMeant("unknown command 'reveiw'; did you mean 'review'?", "reveiw", "list");
        assertMeant("RESOURCE is missing: the claimed resource", "release");
        assertMeant("--ttl needs a value, TIME", "claim", "key:a", "--ttl");
        assertMeant("--ttl is given twice", "claim", "key:a", "--ttl", "5", "--ttl", "6");
        assertMeant("'claim' takes nothing after that: 'key:b'\n", "claim", "key:a", "key:b");
        assertMeant(
                "after that: 'fine'; did you mean --reason \"fine\"?\n",
                "review",
                "verdict",
                "3f2c",
                "approve",
                "fine");
        assertMeant("'stop' takes no arguments: 'now'\n", "stop", "now");
        assertMeant("'b'; quote a text that has spaces", "work", "create", "a", "b");
        assertMeant("did you mean --version?", "version");
        assertThatThrownBy(() -> FULL.parse(List.of("zzzzzz")))
                .hasMessageStartingWith("unknown command 'zzzzzz'" + System.lineSeparator());
        assertThatThrownBy(() -> FULL.help(List.of("wrok"))).hasMessageContaining("did you mean 'work'?");
    }

    private static void assertMeant(String hint, String... words) {
        assertThatThrownBy(() -> FULL.parse(List.of(words)))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(hint);
    }

    @Test
    void every_example_in_the_help_is_understood() {
        for (Command command : Commands.ALL) {
            assertThat(command.examples()).as(command.name()).isNotEmpty();
            for (String example : command.examples()) {
                Examples.assertUnderstood(example);
            }
        }
    }

    @Test
    void help_shows_everything_and_fits_a_terminal() {
        String help = FULL.help(List.of());
        assertThat(help).contains("serve", "bench", "HOLDFAST_AGENT", "Exit codes:");
        for (Command command : Commands.ALL) {
            String text = FULL.help(List.of(command.name().split(" ")));
            assertThat(text).contains(command.examples());
            assertThat(text.lines()).allMatch(line -> line.length() <= 80);
            assertThat(help).contains(command.name().split(" ")[0]);
        }
    }

    @Test
    void help_in_a_pipe_has_no_colours() {
        assertThat(Ran.command(Map.of(), "help", "claim").out())
                .contains("Usage:")
                .doesNotContain("\u001b");
        assertThat(Ran.command(Map.of(), "claim", "--help").out())
                .isEqualTo(Ran.command(Map.of(), "help", "claim").out());
    }

    @Test
    void completion_is_for_three_shells() {
        assertThat(Ran.command(Map.of(), "completion", "bash").out()).contains("complete -F _holdfast holdfast");
        assertThat(Ran.command(Map.of(), "completion", "tcsh").exitCode()).isEqualTo(2);
    }
}
