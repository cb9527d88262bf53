package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every list has the same form with {@code --json}: one array under a name, and {@code next_cursor} if there is more. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListShapesTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");

    /** By command: the name of its array. */
    private static final Map<String, String> LISTS = new TreeMap<>(Map.ofEntries(
            Map.entry("work list", "items"),
            Map.entry("work ready", "items"),
            Map.entry("work blocked", "items"),
            Map.entry("work who", "holders"),
            Map.entry("who", "holders"),
            Map.entry("session list", "agents"),
            Map.entry("review list", "reviews"),
            Map.entry("review feed", "reviews"),
            Map.entry("review audit", "events"),
            Map.entry("review timeline", "events"),
            Map.entry("review discussion", "messages"),
            Map.entry("task list", "tasks")));

    private final Broker broker;
    private final String review;

    ListShapesTest(@TempDir Path folder) throws IOException {
        broker = Broker.start(Config.in(folder));
        Path plan = Files.writeString(folder.resolve("plan.json"), "{\"name\": \"p\", \"steps\": [{\"key\": \"a\"}]}");
        String made = "";
        for (String name : List.of("ann", "bob", "carl")) {
            String item = typed(name, "work", "create", name + "'s").out().strip();
            typed(name, "work", "create", name + "'s, later", "--after", item);
            typed(name, "claim", "key:" + name);
            typed(name, "session", "start", "session-of-" + name);
            typed(name, "task", "create", "-f", plan.toString());
            made = String.valueOf(typed(name, "review", "create", name + "'s plan", "--description", "x", "--json")
                    .json()
                    .text("review_id"));
        }
        typed("dora", "review", "claim", made);
        typed("dora", "review", "message", made, "why?", "--as", "reviewer");
        typed("carl", "review", "message", made, "because", "--as", "proposer");
        review = made;
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private Ran typed(String holder, String... words) {
        return Ran.command(Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", holder), words);
    }

    private JsonObject listed(String command, String... options) {
        List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
        if (command.equals("review timeline") || command.equals("review discussion")) {
            words.add(review);
        }
        words.addAll(List.of(options));
        words.add("--json");
        Ran ran = typed("x", words.toArray(String[]::new));
        assertThat(ran.exitCode()).as(command + ran.out() + ran.err()).isZero();
        return ran.json();
    }

    @Test
    void every_command_that_gives_a_list_in_pieces_is_known_here() {
        assertThat(Commands.ALL.stream()
                        .filter(command -> command.options().stream()
                                .anyMatch(option -> option.name().equals("--cursor")))
                        .map(Command::name))
                .containsExactlyInAnyOrderElementsOf(LISTS.keySet());
    }

    @Test
    void every_list_is_one_array_under_its_name_and_goes_on_by_its_cursor() {
        LISTS.forEach((command, name) -> {
            JsonObject all = listed(command);
            assertThat(all.get(name)).as(command).isInstanceOf(List.class);
            assertThat(all.members().values().stream().filter(List.class::isInstance))
                    .as(command + " has one array, a discussion the findings too")
                    .hasSize(name.equals("messages") ? 2 : 1);
            assertThat(all.has("next_cursor")).as(command).isFalse();
            int count = all.objects(name).size();
            assertThat(count).as(command).isGreaterThan(1);

            JsonObject first = listed(command, "--limit", "1");
            assertThat(first.objects(name)).as(command).hasSize(1);
            String cursor = String.valueOf(first.text("next_cursor"));
            JsonObject rest = listed(command, "--limit", "100", "--cursor", cursor);
            assertThat(rest.objects(name)).as(command + " after " + cursor).hasSize(count - 1);
            assertThat(rest.has("next_cursor")).as(command).isFalse();
        });
    }

    /** Who holds something, and agents, have names instead; what happened to a review in brief has neither. */
    @Test
    void each_thing_has_its_id_under_the_same_name_in_lists_and_by_itself() {
        LISTS.forEach((command, name) -> {
            if (!name.equals("holders") && !name.equals("agents") && !command.equals("review timeline")) {
                assertThat(listed(command).objects(name)).as(command).allMatch(each -> each.has("id"));
            }
        });
        String task =
                String.valueOf(listed("task list").objects("tasks").getFirst().text("id"));
        String item =
                String.valueOf(listed("work list").objects("items").getFirst().text("id"));
        JsonObject shown = listed("task show " + task);
        assertThat(shown.text("id")).isEqualTo(task).isEqualTo(shown.text("task_id"));
        assertThat(shown.objects("steps")).allMatch(step -> step.has("id") && step.has("step_id"));
        assertThat(listed("work show " + item).text("id")).isEqualTo(item);
        assertThat(listed("review show " + review).text("id")).isEqualTo(review);
        assertThat(listed("review create x --description y").text("id")).isNotNull();
        assertThat(listed("work create x").object("item").text("id")).isNotNull();
        assertThat(typed("dora", "review", "verdict", review, "comment", "--reason", "so", "--json")
                        .json()
                        .text("id"))
                .isEqualTo(review);
        JsonObject step = listed("task next");
        assertThat(step.object("step").text("id"))
                .isNotNull()
                .isEqualTo(step.object("step").text("step_id"));
    }

    /** Of those that ask the broker, all but the ones that go on by themselves, or speak another language. */
    @Test
    void every_command_prints_one_document_with_json(@TempDir Path folder) throws Exception {
        SampleRepository sample = SampleRepository.make(folder, "shop", broker.url());
        sample.environment.put("HOME", folder.toString());
        List<String> others = List.of("mcp", "task watch", "help");
        for (Command command : Commands.ALL) {
            boolean inJson =
                    command.options().stream().anyMatch(option -> option.name().equals("--json"));
            if (inJson && !others.contains(command.name())) {
                List<String> words =
                        new ArrayList<>(Arrays.asList(command.name().split(" ")));
                command.parameters().stream()
                        .filter(parameter -> parameter.least() > 0)
                        .forEach(each -> words.add(
                                each.name().equals("FILE") ? folder.resolve("x").toString() : "x"));
                words.add("--json");
                Ran ran = sample.holdfast(words.toArray(String[]::new));
                assertThat(ran.json().members()).as(words + " " + ran.err()).isNotEmpty();
            }
        }
        sample.write("a", "a\n");
        for (String done : List.of(
                "init --yes --for claude --json",
                "hooks check --json",
                "hooks uninstall --git --json",
                "open --print --json",
                "init --undo --json")) {
            Ran ran = sample.holdfast(done.split(" "));
            assertThat(ran.exitCode()).as(done + ran.out() + ran.err()).isZero();
            assertThat(ran.json().members()).as(done).isNotEmpty();
        }
    }

    @Test
    void where_there_is_nothing_the_array_is_empty_and_there(@TempDir Path folder) {
        try (Broker empty = Broker.start(Config.in(folder))) {
            LISTS.forEach((command, name) -> {
                if (!command.equals("review timeline") && !command.equals("review discussion")) {
                    Ran ran = Ran.command(
                            Map.of("HOLDFAST_URL", empty.url(), "HOLDFAST_AGENT", "x"),
                            (command + " --json").split(" "));
                    assertThat(ran.exitCode()).as(command).isZero();
                    assertThat(ran.json().get(name)).as(command + ran.out()).isEqualTo(List.of());
                }
            });
        }
    }

    @Test
    void the_page_names_them() throws IOException {
        String page = Files.readString(PAGE);
        LISTS.forEach((command, name) -> assertThat(page).contains("| `" + command + "` | `" + name + "` |"));
    }
}
