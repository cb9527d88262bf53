package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code task ...}. */
class TaskCommandsTest extends OnABroker {
    private static final String PLAN = """
            {"name": "release", "namespace": "%s",
             "steps": [{"key": "build", "input": {"tag": "v1"}}, {"key": "test", "depends_on": ["build"]}]}
            """;

    private final Path folder;

    TaskCommandsTest(@TempDir Path folder) {
        super(folder.resolve("data"));
        this.folder = folder;
    }

    private String create(String namespace) throws IOException {
        Path plan = Files.writeString(folder.resolve(namespace + ".json"), PLAN.formatted(namespace));
        Ran made = as("planner", "task", "create", "-f", plan.toString(), "--key", "k");
        assertThat(as("planner", "task", "create", "-f", plan.toString(), "--key", "k")
                        .out())
                .isEqualTo(made.out());
        return made.out().split(" ", 2)[0];
    }

    @Test
    void a_task_is_made_done_drawn_and_watched_to_its_end() throws IOException {
        String id = create("done");
        assertThat(as("ann", "task", "graph", id).out()).isEqualTo("o build\n    test  <- build\n");
        assertThat(as("ann", "task", "graph", id, "--json").json().objects("steps"))
                .extracting(step -> step.text("key"))
                .containsExactly("build", "test");
        assertThat(as("ann", "task", "graph", id, "--svg").out())
                .startsWith("<svg")
                .contains("build", "</svg>");
        assertThat(as("ann", "task", "show", id).out()).contains("Step build is ready", "test waits for build.");
        Ran taken = as("ann", "task", "next", "--namespace", "done");
        assertThat(taken.out()).contains(id.substring(0, 8) + ".build  generation 1", "{\"tag\":\"v1\"}");
        assertThat(as("ann", "task", "fail", id + ".build", "--generation", "7", "--error", "x")
                        .exitCode())
                .isEqualTo(6);
        assertThat(as(
                                "ann",
                                "task",
                                "complete",
                                id + ".build",
                                "--generation",
                                "1",
                                "--result",
                                "[1]",
                                "--next",
                                "--namespace",
                                "done")
                        .out())
                .contains("succeeded; the task is open", id.substring(0, 8) + ".test  generation 1", "{\"build\":[1]}");
        assertThat(as("ann", "task", "complete", id + ".test", "--generation", "1")
                        .exitCode())
                .isZero();
        Ran watched = as("ann", "task", "watch", id);
        assertThat(watched.exitCode()).isZero();
        assertThat(watched.out()).contains("2/2  complete");
        assertThat(as("ann", "task", "list", "--state", "complete").out()).contains(id.substring(0, 8), "2/2");
        Ran again = as("ann", "task", "complete", id + ".test");
        assertThat(again.out()).startsWith("completed already; the task is ");
        assertThat(again.exitCode()).isZero();
        Ran unknown = as("ann", "task", "complete", id + ".none");
        assertThat(unknown.err()).contains("the task has no step none");
        assertThat(unknown.exitCode()).isEqualTo(4);
    }

    @Test
    void a_step_that_fails_needs_no_generation_and_its_attempts_are_counted_to_the_end(@TempDir Path state)
            throws IOException {
        Path plan = Files.writeString(
                folder.resolve("attempts.json"),
                "{\"name\": \"attempts\", \"namespace\": \"attempts\","
                        + " \"steps\": [{\"key\": \"a\", \"max_attempts\": 2}, {\"key\": \"b\", \"depends_on\": [\"a\"]}]}");
        Map<String, String> ann =
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "ann", "XDG_STATE_HOME", state.toString());
        String id =
                Ran.command(ann, "task", "create", "-f", plan.toString()).out().split(" ", 2)[0];
        for (String outcome : List.of("failed, will be retried; the task is open", "failed; the task is open")) {
            assertThat(Ran.command(ann, "task", "next", "--namespace", "attempts", "--wait", "30s")
                            .exitCode())
                    .isZero();
            assertThat(Ran.command(ann, "task", "fail", id + ".a", "--error", "boom")
                            .out())
                    .isEqualTo(outcome + "\n");
        }
        await().until(() -> !Ran.command(ann, "task", "show", id).out().contains("open"));
        assertThat(Ran.command(ann, "task", "show", id).out())
                .contains("[xxxxxxxxxxxxxxx---------------]  0/2  failed\n  The task failed.\n")
                .contains("  x a  failed, 2 of 2 attempts failed\n");
        assertThat(Ran.command(ann, "task", "show", id, "--json")
                        .json()
                        .objects("steps")
                        .getFirst()
                        .number("attempts"))
                .hasToString("2");
    }

    @Test
    void a_cancelled_task_has_a_bar_of_what_was_left_out() throws IOException {
        String id = create("barred");
        as("ann", "task", "cancel", id, "--reason", "no longer needed");
        await().untilAsserted(
                        () -> assertThat(as("ann", "task", "show", id).out())
                                .contains(
                                        "[------------------------------]  0/2  cancelled\n  The task was cancelled: no longer needed.\n"));
    }

    @Test
    void a_task_that_may_not_end_yet_is_not_ended_by_call_either() throws IOException {
        Path plan = Files.writeString(
                folder.resolve("early.json"),
                "{\"name\": \"early\", \"namespace\": \"early\", \"finalizer\": \"external\","
                        + " \"steps\": [{\"key\": \"a\"}, {\"key\": \"b\"}]}");
        String id = as("planner", "task", "create", "-f", plan.toString()).out().split(" ", 2)[0];
        complete(id + ".a");
        String claimed = as("p", "call", "claim_finalization", "task_id=" + id, "processor_id=p")
                .out();
        assertThat(claimed).contains("\"claimed\":true", "\"requested_seq\":2");
        assertThat(as("q", "call", "claim_finalization", "task_id=" + id, "processor_id=q")
                        .exitCode())
                .as("held by p")
                .isEqualTo(3);
        assertThat(finish(id, 2))
                .contains("\"finished\":false", "\"reevaluate\":false", "\"code\":\"bad_state\"")
                .contains("Policy all_succeeded is not fulfilled: 0 steps are waiting, 1 active");
        complete(id + ".b");
        assertThat(finish(id, 2))
                .contains("\"finished\":false", "\"reevaluate\":true", "\"requested_seq\":3", "\"code\":\"stale\"");
        assertThat(finish(id, 3)).contains("\"finished\":true");
    }

    private void complete(String step) {
        as("ann", "call", "claim_step", "step_id=" + step, "holder=ann");
        assertThat(as("ann", "task", "complete", step, "--generation", "1").exitCode())
                .isZero();
    }

    private String finish(String id, int seq) {
        return as(
                        "p",
                        "call",
                        "finish_task",
                        "task_id=" + id,
                        "processor_id=p",
                        "claim_generation=1",
                        "handled_seq=" + seq)
                .out();
    }

    @Test
    void a_live_view_fits_the_terminal_however_large_the_task_is() throws IOException {
        String steps = IntStream.range(0, 60)
                .mapToObj(i -> "{\"key\": \"a-rather-long-name-of-a-step-" + i + "\"}")
                .collect(Collectors.joining(","));
        Path plan = Files.writeString(
                folder.resolve("large.json"),
                "{\"name\": \"large\", \"namespace\": \"large\", \"steps\": [" + steps + "]}");
        String id = as("planner", "task", "create", "-f", plan.toString()).out().split(" ", 2)[0];
        as("ann", "task", "next", "--namespace", "large");
        as("ann", "task", "cancel", id, "--reason", "seen enough");
        Ran watched = Ran.onTerminal(40, Map.of("HOLDFAST_URL", broker.url()), "task", "watch", id);
        assertThat(watched.out().lines())
                .hasSizeLessThan(24)
                .allMatch(line -> line.length() < 40)
                .anyMatch(line -> line.startsWith("[") && line.contains("/60  cancelled"));
    }

    @Test
    void a_large_graph_is_drawn_in_a_handy_picture_for_light_and_dark() throws IOException {
        String parts = IntStream.range(0, 50)
                .mapToObj(i -> "{\"key\": \"part-" + i + "\", \"depends_on\": [\"split\"]}")
                .collect(Collectors.joining(","));
        Path plan = Files.writeString(
                folder.resolve("graph.json"),
                "{\"name\": \"a < b & c\", \"namespace\": \"graph\", \"steps\": [{\"key\": \"split\"}," + parts + "]}");
        String id = as("planner", "task", "create", "-f", plan.toString()).out().split(" ", 2)[0];
        String picture = as("ann", "task", "graph", id, "--svg").out();
        assertThat(picture).contains("prefers-color-scheme: dark", "a &lt; b &amp; c", "part-49", "waiting 50");
        assertThat(picture.split("<path ", -1)).hasSize(51);
        Matcher size = Pattern.compile("width=\"(\\d+)\" height=\"(\\d+)\"").matcher(picture);
        assertThat(size.find()).isTrue();
        assertThat(Integer.parseInt(size.group(1))).isLessThan(1_400);
        assertThat(Integer.parseInt(size.group(2))).isLessThan(1_000);
    }

    @Test
    void what_is_wrong_with_a_plan_is_told() throws IOException {
        assertThat(as("ann", "task", "list", "--namespace", "nowhere").out()).isEqualTo("no task matches\n");
        Path circle = Files.writeString(
                folder.resolve("circle.json"),
                "{\"name\": \"x\", \"steps\": [{\"key\": \"a\", \"depends_on\": [\"b\"]}, {\"key\": \"b\", \"depends_on\": [\"a\"]}]}");
        Ran refused = as("ann", "task", "create", "-f", circle.toString());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("dependency cycle: a, b");
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\"name\": ");
        assertThat(as("ann", "task", "create", "-f", broken.toString()).err()).contains("is not valid JSON");
        assertThat(Ran.with(Map.of("HOLDFAST_URL", broker.url()), "{", "task", "create", "-f", "-")
                        .err())
                .contains("standard input is not valid JSON");
        Path list = Files.writeString(folder.resolve("list.json"), "[]");
        assertThat(as("ann", "task", "create", "-f", list.toString()).err()).contains("must be a JSON object");
    }

    @Test
    void a_cancelled_task_is_told_as_such() throws IOException {
        String id = create("cancelled");
        assertThat(as("ann", "task", "cancel", id).exitCode()).isEqualTo(2);
        assertThat(as("ann", "task", "cancel", id, "--reason", "no").out()).contains("cancelled");
        assertThat(as("ann", "task", "watch", id).exitCode()).isEqualTo(1);
        assertThat(as("ann", "task", "next", "--namespace", "cancelled").out()).isEqualTo("nothing is ready\n");
        assertThat(as("x", "events", "-n", "50", "--json").json().objects("events"))
                .as("who cancelled it, also by a name alone")
                .anyMatch(event -> "task_cancelled".equals(event.text("type")) && "ann".equals(event.text("actor")));
        assertThat(as("ann", "task", "list", "--namespace", "cancelled").out())
                .contains(id.substring(0, 8))
                .doesNotContain("all_complete");
        assertThat(as("ann", "task", "show", "nobody").exitCode()).isEqualTo(4);
        assertThat(as("ann", "task", "create", "-f", folder.resolve("none.json").toString())
                        .exitCode())
                .isEqualTo(2);
    }
}
