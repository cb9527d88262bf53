package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.holdfast.broker.BrokerClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tasks and events in a browser. */
abstract class TaskPagesContract extends PageContract {
    private String release() {
        return done(
                        "create_task",
                        "name",
                        "release 1.4.2",
                        "steps",
                        List.of(
                                Map.of("key", "build", "input", Map.of("commit", "9b1f44e")),
                                Map.of("key", "test", "depends_on", List.of("build")),
                                Map.of("key", "publish", "depends_on", List.of("test"))))
                .text("task_id");
    }

    private BrokerClient.Reply claimNext(String holder) {
        return done("claim_next_step", "holder", holder);
    }

    @Test
    void without_a_task_the_page_says_what_one_is_and_how_to_make_one() {
        Page page = visit("/tasks");

        assertThat(page.locator(".empty")).containsText("No task yet");
        assertThat(page.locator("[data-copy^='holdfast call create_task']")).hasCount(1);
    }

    @Test
    void the_list_says_what_each_task_waits_for_and_pages() {
        for (int i = 0; i < 31; i++) {
            release();
        }
        Page page = visit("/tasks?state=open");

        assertThat(page.locator("tbody tr")).hasCount(30);
        assertThat(page.locator("tbody tr").first()).containsText("0 of 3");
        page.locator("a[rel=next]").click();
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(visit("/tasks?state=failed").locator(".empty")).containsText("No failed tasks");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_bar_of_a_task_counts_as_in_progress_what_somebody_holds() {
        release();
        Page page = visit("/tasks");
        assertThat(page.locator(".prog")).hasAttribute("aria-label", "0 of 3 succeeded, 0 in progress, 0 failed");
        assertThat(page.locator(".prog .sea")).hasCount(0);

        claimNext("codex-91d4aa");
        assertThat(page.locator(".prog")).hasAttribute("aria-label", "0 of 3 succeeded, 1 in progress, 0 failed");
        assertThat(page.locator(".prog .sea")).hasAttribute("width", "40.00");
    }

    @Test
    void a_task_says_why_it_is_not_further_and_shows_its_steps_and_who_is_at_them() {
        String id = release();
        claimNext("codex-91d4aa");

        Page page = visit("/tasks/" + id);

        assertThat(page.locator("[data-region=why]")).containsText("codex-91d4aa");
        assertThat(page.locator(".gn")).hasCount(3);
        assertThat(page.locator(".graph path.ge.crit")).hasCount(2);
        assertThat(page.locator("[data-region=step]")).containsText("9b1f44e");
        assertThat(page.locator("[data-region=step] .lease")).hasCount(1);
        assertThat(page.locator("[data-region=when] rect")).hasCount(1);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void on_a_phone_the_timeline_shows_now_beside_the_names_of_the_steps() {
        String id = release();
        claimNext("codex-91d4aa");
        Page page = visit("/tasks");
        page.setViewportSize(Browser.Size.PHONE.width, Browser.Size.PHONE.height);
        try {
            page.navigate(broker.url() + "/tasks/" + id);
            assertThat(page.evaluate("""
                            () => { const box = document.querySelector('[data-region=when] .graph'), at = box.getBoundingClientRect(),
                                now = box.querySelector('.now').getBoundingClientRect(),
                                name = [...box.querySelectorAll('text')].find(text => text.textContent === 'build').getBoundingClientRect();
                              return [box.scrollWidth > box.clientWidth, now.right < at.right, name.left >= at.left, name.right < now.left].join(); }""")).isEqualTo("true,true,true,true");
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    @Test
    void a_step_that_ends_appears_without_the_page_being_loaded_again() {
        String id = release();
        BrokerClient.Reply build = claimNext("codex-91d4aa");
        Page page = visit("/tasks/" + id + "?step=build");
        page.evaluate("window.stayed = true");

        end("complete_step", build, "result", Map.of("jar", "shop.jar"));

        assertThat(page.locator("[data-region=step]")).containsText("shop.jar");
        assertThat(page.locator("[data-region=head]")).containsText("1 of 3 succeeded");
        assertThat(page.locator(".gn:has-text('build') text.s")).hasText(Pattern.compile("succeeded in \\d+ s"));
        assertThat(page.evaluate("window.stayed")).isEqualTo(true);
    }

    @Test
    void a_step_that_failed_is_tried_again_at_once_when_a_person_says_so() {
        String id = done("create_task", "name", "nightly", "steps", List.of(Map.of("key", "build", "max_attempts", 50)))
                .text("task_id");
        failToBuild();
        for (int i = 0; i < 6; i++) { // each time it waits longer
            done("retry_task", "task_id", id);
            failToBuild();
        }
        Page page = visitAs("mira", "/tasks/" + id);
        assertThat(page.locator("[data-region=step]")).containsText("retrying later");
        assertHarmless(page);

        page.getByText("Retry now").dblclick();

        assertThat(page.locator("[data-region=step]")).containsText("ready");
        assertThat(page.locator(".toast.bad")).hasCount(0);
        assertThat(claimNext("codex-2be7c5").body().path("step").path("key").asString())
                .isEqualTo("build");
    }

    @Test
    void an_attempt_that_failed_says_why_also_while_the_next_one_runs() {
        String id = done("create_task", "name", "nightly", "steps", List.of(Map.of("key", "build", "max_attempts", 3)))
                .text("task_id");
        end("fail_step", claimNext("codex-91d4aa"), "error", "the runner went away");
        done("retry_task", "task_id", id);
        claimNext("codex-2be7c5");

        Page page = visit("/tasks/" + id);

        assertThat(page.locator("[data-region=step]")).containsText("claimed");
        assertThat(page.locator("[data-region=step]"))
                .containsText(Pattern.compile("codex-91d4aa\\s+g1\\s+failed after \\d+ s: the runner went away"));
    }

    private void failToBuild() {
        end("fail_step", claimNext("codex-91d4aa"), "error", HOSTILE);
    }

    private void end(String verb, BrokerClient.Reply claimed, String field, Object value) {
        done(
                verb,
                "step_id",
                claimed.body().path("step").path("step_id").asString(),
                "holder",
                "codex-91d4aa",
                "claim_generation",
                claimed.generation(),
                field,
                value);
    }

    @Test
    void a_stuck_step_is_released_and_a_task_cancelled_with_a_reason() {
        String id = release();
        claimNext("codex-91d4aa");
        Page page = visitAs("mira", "/tasks/" + id);

        page.getByText("Release…").click();
        page.locator("#take-back textarea").fill("runner is gone");
        page.locator("#take-back button[type=submit]").click();
        assertThat(page.locator("[data-region=step]")).containsText("ready");
        page.getByText("Cancel task…").click();
        page.locator("#cancel textarea").fill("not needed");
        sendTwice(page, "#cancel form");

        assertThat(page.locator("[data-region=head] .badge")).containsText("cancelled");
        assertThat(page.locator("[data-region=why]")).containsText("not needed");
        assertThat(page.locator(".toast.bad")).hasCount(0);
    }

    @Test
    void a_task_of_many_steps_is_drawn_folded_and_listed_in_pages() {
        List<Map<String, Object>> steps = new ArrayList<>();
        steps.add(Map.of("key", "plan"));
        for (int i = 0; i < 120; i++) {
            steps.add(Map.of("key", "tenant-" + i, "depends_on", List.of("plan")));
        }
        String id = done("create_task", "name", "migrate", "steps", steps).text("task_id");

        Page page = visit("/tasks/" + id);

        assertThat(page.locator(".gn").count()).isLessThanOrEqualTo(30);
        assertThat(page.locator(".legend")).containsText("121 steps");
        Page list = visit("/tasks/" + id + "?view=list");
        assertThat(list.locator("tbody tr")).hasCount(100);
        list.locator("a[rel=next]").click();
        assertThat(list.locator("tbody tr")).hasCount(21);
    }

    @Test
    void a_task_that_does_not_exist_is_said_to_be_missing() {
        assertThat(visit("/tasks/none").locator("main")).containsText("There is no task none");
    }

    @Test
    void events_appear_as_they_happen_and_open_to_their_json() {
        Page page = visit("/events");
        done("claim", "resource", "key:deploy", "holder", "claude-3fa91c");

        assertThat(page.locator("[data-region=events]")).containsText("key:deploy");
        page.locator("summary").first().click();
        assertThat(page.locator("details[open] pre")).containsText("\"resource\"");
        assertThat(page.locator(".hist rect")).not().hasCount(0);
    }

    @Test
    void an_event_without_details_names_what_it_happened_to() {
        release();
        claimNext("codex-91d4aa");
        done("create_work", "id", "hf-lock", "title", "Lock captures " + HOSTILE);
        done("claim_work", "id", "hf-lock", "holder", "codex-91d4aa");
        done(
                "create_review",
                "intent",
                "Refund once\nA retried call gave back twice.",
                "agent_type",
                "claude",
                "description",
                "d");
        done("claim_next_review", "reviewer_id", "codex-2be7c5");

        Page page = visit("/events?type=claimed");

        assertThat(page.locator("tr:has-text('step:') summary")).hasText("release 1.4.2: step build");
        assertThat(page.locator("tr:has-text('work:') summary")).containsText("Lock captures");
        assertThat(page.locator("tr:has-text('review:') summary")).containsText("Refund once");
        assertHarmless(page);
    }

    @Test
    void events_are_filtered_by_type_resource_actor_and_expression_and_page() {
        for (int i = 0; i < 70; i++) {
            done("claim", "resource", "key:k" + i, "holder", i % 2 == 0 ? "ann" : "bob");
            done("release", "resource", "key:k" + i, "holder", i % 2 == 0 ? "ann" : "bob", "claim_generation", 1);
        }

        assertThat(visit("/events?type=released&actor=ann").locator("tbody tr")).hasCount(35);
        assertThat(visit("/events?resource=key:k7").locator("tbody tr")).hasCount(2);
        assertThat(visit("/events?re=key:k1[0-3]%20bob&type=claimed").locator("tbody tr"))
                .hasCount(2);
        Page page = visit("/events?resource=key:");
        assertThat(page.locator("tbody tr")).hasCount(100);
        page.locator("a[rel=next]").click();
        assertThat(page.locator("tbody tr")).hasCount(40);
        assertThat(visit("/events?type=none").locator(".empty")).containsText("Nothing matches");
    }

    @Test
    void new_events_do_not_move_what_somebody_reads_further_down() {
        for (int i = 0; i < 110; i++) {
            done("claim", "resource", "key:k" + i, "holder", "ann");
        }
        Page page = visit("/events");
        Locator rows = page.locator("[data-region=events] tbody tr");
        assertThat(rows).hasCount(100);
        String last = rows.last().getAttribute("data-key");
        rows.last().scrollIntoViewIfNeeded();

        done("claim", "resource", "key:late", "holder", "ann");
        done("release", "resource", "key:late", "holder", "ann", "claim_generation", 1);

        assertThat(page.locator("#arrivals button")).hasText("2 new");
        assertThat(rows).hasCount(100);
        assertThat(rows.last()).hasAttribute("data-key", last); // a page has room for 100
        assertThat(rows.last()).isInViewport();
        page.locator("#arrivals button").click();
        assertThat(page.locator("[data-region=events] tbody")).containsText("key:late");
        assertThat(rows).hasCount(100);
        assertThat(page.locator("#arrivals button")).hasCount(0);
    }

    @Test
    void an_expression_that_is_wrong_is_refused_and_one_that_takes_forever_elsewhere_is_answered() {
        done("claim", "resource", "key:" + "a".repeat(200), "holder", "ann");

        assertThat(visit("/events?re=(").locator(".empty")).containsText("Not a valid regular expression");
        assertThat(visit("/events?re=((a%2B)%2B)%2B!").locator(".empty")).containsText("Nothing matches");
    }

    @Test
    void the_fields_of_events_complete_from_all_that_the_broker_knows_and_the_choice_filters() {
        caller.call("create_work", "id", "hf-complete", "title", "Known by its id");
        caller.call("claim_work", "id", "hf-complete", "holder", "zoe-who-completes");
        Page page = visit("/events?type=no-such-type");
        for (String[] field : new String[][] {
            {"type", "claim", "claimed"},
            {"resource", "work:hf-comp", "work:hf-complete"},
            {"actor", "zoe-", "zoe-who-completes"}
        }) {
            page.locator("[name=" + field[0] + "]").fill(field[1]);
            assertThat(page.locator("[name=" + field[0] + "] + datalist option[value='" + field[2] + "']"))
                    .hasCount(1);
            page.locator("[name=" + field[0] + "]").fill(field[2]);
        }
        page.locator("[name=actor]").press("Enter");

        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody tr")).containsText("work:hf-complete");
    }

    @Test
    void others_text_in_events_is_only_ever_text() {
        done("claim", "resource", "key:" + HOSTILE, "holder", "<b>ann</b>");

        assertHarmless(visit("/events"));
    }
}
