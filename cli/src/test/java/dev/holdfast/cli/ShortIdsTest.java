package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids as people type them: the beginning stands for the whole, at every door. */
class ShortIdsTest extends OnABroker {
    private final Path folder;

    ShortIdsTest(@TempDir Path folder) {
        super(folder.resolve("data"));
        this.folder = folder;
    }

    private Ran done(String holder, String... words) {
        Ran ran = as(holder, words);
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        return ran;
    }

    private String review(String intent) {
        Ran made = done("ann", "review", "create", intent, "--description", "read this", "--json");
        return String.valueOf(made.json().text("review_id"));
    }

    @Test
    void a_review_is_claimed_shown_judged_and_closed_by_the_beginning_of_its_id() {
        String id = review("a plan");
        String begin = id.substring(0, 6);

        assertThat(done("ann", "review", "list", "--json").out()).contains(id);
        assertThat(done("ann", "review", "list").out())
                .contains(id.substring(0, 8))
                .doesNotContain(id);
        done("bob", "review", "claim", begin);
        assertThat(done("bob", "review", "show", begin).out())
                .contains("a plan")
                .contains("read this");
        done("bob", "review", "verdict", begin, "approve");
        assertThat(done("ann", "review", "wait", begin).out()).startsWith("approved");
        done("ann", "review", "close", begin);
        assertThat(done("ann", "call", "get_review_status", "review_id=" + begin)
                        .out())
                .contains(id)
                .contains("closed");
    }

    @Test
    void work_is_claimed_planned_and_released_by_the_beginning_of_its_id() {
        String id = done("ann", "work", "create", "one", "--id", "long-name-of-one")
                .out()
                .strip();
        String part = done("ann", "work", "create", "two", "--id", "other-name", "--after", "long-name")
                .out()
                .strip();

        assertThat(done("ann", "work", "show", "other").out()).contains("waits for   " + id);
        Number generation = Objects.requireNonNull(done("bob", "work", "claim", "long-n", "--json")
                .json()
                .object("claim")
                .number("claim_generation"));
        done("bob", "heartbeat", "long-n", "--generation", "" + generation);
        assertThat(as("eve", "claim", "work:long-n").exitCode()).isEqualTo(ExitCode.HELD.number());
        done("bob", "release", "long-n", "--generation", "" + generation, "--note", "later");
        assertThat(done("ann", "work", "show", id).out()).contains("later");
        assertThat(part).isEqualTo("other-name");
    }

    @Test
    void a_step_is_named_by_the_beginning_of_its_task_and_its_key() throws IOException {
        Path plan = Files.writeString(
                folder.resolve("plan.json"), "{\"name\": \"release\", \"steps\": [{\"key\": \"build\"}]}");
        String id = done("ann", "task", "create", "-f", plan.toString()).out().split(" ")[0];
        String begin = id.substring(0, 8);

        assertThat(done("ann", "task", "list").out()).contains(begin).doesNotContain(id);
        assertThat(done("bob", "task", "next").out()).startsWith(begin + ".build  generation 1");
        assertThat(done("bob", "task", "complete", begin + ".build", "--generation", "1")
                        .out())
                .contains("now finalizes the task");
        assertThat(done("ann", "task", "show", begin.substring(0, 4)).out()).contains("release");
    }

    @Test
    void the_generation_of_a_step_that_was_claimed_here_is_found_by_its_short_id(@TempDir Path state)
            throws IOException {
        Path plan = Files.writeString(
                folder.resolve("two.json"),
                "{\"name\": \"two\", \"namespace\": \"two\", \"steps\": ["
                        + "{\"key\": \"test-mac\", \"max_attempts\": 1},"
                        + " {\"key\": \"test-mac2\", \"max_attempts\": 1}]}");
        Map<String, String> cleo =
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "cleo", "XDG_STATE_HOME", state.toString());
        String id =
                Ran.command(cleo, "task", "create", "-f", plan.toString()).out().split(" ")[0];
        for (String word : List.of("complete", "fail")) {
            String step = Ran.command(cleo, "task", "next", "--namespace", "two")
                    .out()
                    .split(" ")[0];
            assertThat(step).startsWith(id.substring(0, 8) + ".test-mac");
            Ran ended = word.equals("complete")
                    ? Ran.command(cleo, "task", "complete", step)
                    : Ran.command(cleo, "task", "fail", id.substring(0, 6) + step.substring(8), "--error", "x");
            assertThat(ended.exitCode()).as(ended.err()).isZero();
        }
    }

    @Test
    void several_ids_that_begin_alike_are_answered_with_what_there_is_to_choose_from() {
        done("ann", "work", "create", "one", "--id", "same-start-1");
        done("ann", "work", "create", "two", "--id", "same-start-2");

        Ran refused = as("bob", "work", "claim", "same-start");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(refused.err())
                .isEqualTo(
                        "holdfast: several ids begin with 'same-start': same-start-1, same-start-2; give more of it\n");
        JsonObject json = as("bob", "work", "show", "same-start", "--json").json();
        assertThat(Json.write(json.get("candidates"))).isEqualTo("[\"same-start-1\",\"same-start-2\"]");
        assertThat(done("ann", "work", "show", "same-start-1").out()).doesNotContain("held by");
    }

    @Test
    void a_whole_id_is_never_taken_for_the_beginning_of_another() {
        done("ann", "work", "create", "one", "--id", "exact");
        done("ann", "work", "create", "two", "--id", "exactly");

        assertThat(done("bob", "work", "claim", "exact").out()).startsWith("claimed work:exact,");
        assertThat(done("bob", "work", "claim", "exactl").out()).startsWith("claimed work:exactly,");
    }

    @Test
    void three_characters_and_free_names_are_taken_as_they_are() {
        done("ann", "work", "create", "one", "--id", "abcdefgh");
        done("ann", "claim", "key:production");

        assertThat(as("bob", "work", "show", "abc").exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(done("bob", "claim", "key:prod").out()).startsWith("claimed key:prod,");
        assertThat(as("bob", "review", "show", "zzzzzzzz").exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
    }
}
