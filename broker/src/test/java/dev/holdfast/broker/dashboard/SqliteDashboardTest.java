package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SqliteDashboardTest extends DashboardContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }

    @Test
    void what_nobody_comes_for_needs_a_person_and_a_quiet_step_is_called_by_name() {
        caller.call("create_review", "intent", "Count items", "agent_type", "claude", "description", "d");
        String task = caller.call("create_task", "name", "release", "steps", List.of(Map.of("key", "test-linux")))
                .text("task_id");
        caller.call("claim_next_step", "holder", "codex-77b2e0");

        History.sixMinutesPass(folder);

        Page page = visit("/");
        Locator needs = page.locator("[data-region=needs]");
        assertThat(page.locator("[data-region=at-work]")).containsText("release: step test-linux");
        assertThat(needs).containsText("Waiting for a person: the broker runs no reviewers, and no agent is reviewing");
        assertThat(needs)
                .containsText(
                        "Holds step test-linux of release (" + task.substring(0, 8) + "); freed automatically in");
        caller.call("claim", "resource", "key:deploy", "holder", "claude-3fa91c");
        Page agents = visit("/agents");
        assertThat(agents.locator("h1")).hasText("codex-77b2e0 has gone quiet"); // both pages say the same
        assertThat(agents.locator("[data-region=agents] tbody tr").first()).containsText("codex-77b2e0");
    }

    @Test
    void a_review_that_only_people_can_take_needs_them_at_once() {
        caller.call("create_review", "intent", "Count items", "agent_type", "claude", "description", "d");
        String mine = caller.call("create_review", "intent", "Count more", "agent_type", "claude", "description", "d")
                .text("review_id");
        caller.call("claim_review", "review_id", mine, "reviewer_id", "mira");
        assertThat(visit("/").locator("h1")).hasText("One thing needs you"); // mira is a person as well

        String session = caller.call("start_session", "session_id", "s-1", "kind", "codex")
                .text("holder");
        String other = caller.call("create_review", "intent", "Count all", "agent_type", "claude", "description", "d")
                .text("review_id");
        caller.call("claim_review", "review_id", other, "reviewer_id", session);
        assertThat(visit("/").locator("h1")).hasText("Nothing needs you"); // an agent reviews, and will go on
    }

    @Test
    void what_needs_a_person_is_done_where_it_is_said() {
        caller.call("create_work", "id", "hf-a", "title", "First");
        caller.call("update_work", "id", "hf-a", "holder", "mira", "status", "blocked", "reason", "no machine");
        caller.call("claim", "resource", "key:deploy", "holder", "codex-77b2e0");
        History.sixMinutesPass(folder);
        Page page = visitAs("mira", "/");
        Locator needs = page.locator("[data-region=needs]");
        assertThat(page.locator("h1")).hasText("Two things need you");

        needs.getByText("Release…").click();
        assertThat(page.locator("#take-back p"))
                .hasText(
                        "codex-77b2e0 loses the claim, sees your reason, and has any further changes refused. It is then free for anyone to claim.");
        assertThat(page.locator("#take-back button[type=submit] > span")).hasText("Release from codex-77b2e0");
        page.locator("#take-back textarea").fill("its machine is off");
        page.locator("#take-back button[type=submit]").click();
        assertThat(page.locator("h1")).hasText("One thing needs you");
        assertThat(caller.call("heartbeat", "holder", "codex-77b2e0").body().toString())
                .contains("its machine is off");

        needs.getByText("Unpark").click();
        assertThat(page.locator("h1")).hasText("Nothing needs you");
        assertThat(caller.call("get_work", "id", "hf-a").body().toString()).contains("\"open\"");
    }

    @Test
    void every_dialog_has_room_around_its_words_and_its_buttons() {
        caller.call("create_work", "id", "hf-a", "title", "First");
        for (String path : List.of("/", "/work", "/work/hf-a", "/reviews", "/pool")) {
            assertThat(visit(path).evaluate("""
                    [...document.querySelectorAll('dialog')].flatMap(dialog => { dialog.showModal(); const all = dialog.getBoundingClientRect();
                      const tight = [...dialog.querySelectorAll('h2, footer .btn')].filter(part => { const at = part.getBoundingClientRect();
                        return at.left - all.left < 12 || all.right - at.right < 12; }).map(part => `${dialog.id}: ${part.textContent}`);
                      dialog.close(); return tight; }).join()""")).as(path).isEqualTo("");
        }
    }

    @Test
    void parked_work_and_a_failed_task_need_a_person_and_trends_are_drawn_for_an_hour_a_day_and_a_week() {
        caller.call("create_work", "id", "hf-a", "title", "First");
        caller.call("update_work", "id", "hf-a", "holder", "mira", "status", "blocked", "reason", "no machine");
        String task = caller.call("create_task", "name", "release", "steps", List.of(Map.of("key", "build")))
                .text("task_id");
        long generation = caller.call("claim_step", "step_id", task + ".build", "holder", "ann")
                .generation();
        caller.call(
                "fail_step",
                "step_id",
                task + ".build",
                "holder",
                "ann",
                "claim_generation",
                generation,
                "error",
                "no disk",
                "retry",
                false);
        History.write(folder);

        Page page = visit("/");
        assertThat(page.locator("[data-region=needs]")).containsText("First is parked");
        assertThat(page.locator("[data-region=needs]")).containsText("no machine");
        assertThat(page.locator("[data-region=needs]")).containsText("release failed");
        assertThat(page.locator("[data-region=needs]")).containsText("Step build has failed: no disk");
        assertThat(page.locator(".chart h3")).hasText(new String[] {
            "Waiting, by kind", "Oldest waiting review", "Verdicts", "Time to verdict, minutes"
        });
        Locator waiting = page.locator(".chart").first();
        assertThat(waiting.locator(".legend2 span")).hasText(new String[] {"reviews", "items", "steps"});
        assertThat(waiting.locator("small")).hasText(Pattern.compile("\\d+ reviews?, \\d+ items?, \\d+ steps?"));
        assertThat(page.locator(".chart").last().locator(".legend2 span")).hasText(new String[] {"median", "p95"});
        for (String range : List.of("Hour", "Day", "Week")) {
            page.locator(".seg a:has-text('" + range + "')").click();
            assertThat(page.locator(".seg a[aria-current=true]")).hasText(range);
            assertThat(page.locator(".chart svg[role=img][aria-label]")).hasCount(4);
        }
    }

    /** Whatever came, went, changed or moved: in the end the page is what a new one would be, and has kept what it could. */
    @Test
    void rows_that_come_go_change_and_move_end_up_as_a_new_page_has_them() {
        Random random = new Random(15);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            texts.add(Versions.in(madeUp(random)));
        }
        Page page = visit("/");

        Object wrong = page.evaluate("""
                async ([at, texts]) => {
                  const { news, swap } = await import(at), main = document.querySelector('main'), wrong = [];
                  const plain = html => html.replace(/ class="(n-new)?"/g, '').replace(/>\\s+</g, '><');
                  main.innerHTML = texts[0];
                  texts.slice(1).forEach((text, i) => {
                    const before = new Map([...main.querySelectorAll('[data-row]')].map(row => [row.dataset.v, row]));
                    news(text).regions.forEach(([old, fresh]) => swap(old, fresh));
                    const fresh = new DOMParser().parseFromString(text, 'text/html').body;
                    if (plain(main.innerHTML) !== plain(fresh.innerHTML)) wrong.push(`${i}: ${main.innerHTML} is not ${fresh.innerHTML}`);
                    const lists = [...main.querySelectorAll('[data-region=lanes] [data-row]')];
                    if (main.querySelector('[data-region=lanes] [data-row]') && before.size && lists.some(row => before.has(row.dataset.v) && before.get(row.dataset.v) !== row && before.get(row.dataset.v).closest('section')?.isConnected)) wrong.push(`${i}: a row that is the same was replaced`);
                  });
                  return wrong.slice(0, 3).join('\\n');
                }""", new Object[] {Assets.at("js/swap.js"), texts});

        assertThat(wrong).isEqualTo("");
    }

    /** Two lanes of cards and a list, of the same few things. */
    private static String madeUp(Random random) {
        StringBuilder page = new StringBuilder("<div data-region=\"lanes\">\n");
        for (String lane : List.of("open", "held")) {
            page.append("<section data-lane=\"" + lane + "\"><header><b>" + random.nextInt(3) + "</b></header><ul>\n");
            some(random)
                    .forEach(key -> page.append("<li data-row data-key=\"" + lane + key + "\"><b>" + key + "</b> "
                            + random.nextInt(2) + "</li>\n"));
            page.append(random.nextBoolean() ? "<li class=\"more\">more</li></ul></section>\n" : "</ul></section>\n");
        }
        page.append("</div><section data-region=\"list\">");
        List<Integer> rows = some(random);
        if (rows.isEmpty()) {
            page.append("<p>None</p>");
        } else {
            page.append("<table><tbody>");
            rows.forEach(key ->
                    page.append("<tr data-row data-key=\"" + key + "\"><td>" + random.nextInt(2) + "</td></tr>\n"));
            page.append("</tbody></table><footer>" + rows.size() + "</footer>");
        }
        return page.append("</section>").toString();
    }

    private static List<Integer> some(Random random) {
        List<Integer> all = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
        Collections.shuffle(all, random);
        return all.subList(0, random.nextInt(9));
    }

    @Test
    void a_hidden_tab_pauses_and_catches_up_when_it_is_shown_and_the_page_stays_where_it_was_scrolled() {
        for (int i = 0; i < 40; i++) {
            caller.call("claim", "resource", "key:k" + i, "holder", "ann");
        }
        Page page = visit("/events");
        assertThat(page.locator("#live")).containsText("Live");
        page.evaluate("""
                () => { window.reads = 0; const real = fetch; window.fetch = (...given) => { window.reads++; return real(...given); };
                  scrollTo(0, 200); let hidden = true; window.reveal = () => { hidden = false; document.dispatchEvent(new Event('visibilitychange')); };
                  Object.defineProperty(document, 'hidden', {get: () => hidden}); document.dispatchEvent(new Event('visibilitychange')); }""");
        Page other = visitAs("mira", "/events");

        caller.call("claim", "resource", "key:late", "holder", "bob");
        assertThat(other.locator("[data-region=events]")).containsText("key:late");
        assertThat(page.evaluate("reads")).isEqualTo(0);
        page.evaluate("reveal()");

        assertThat(page.locator("[data-region=events]")).containsText("key:late");
        assertThat(page.evaluate("scrollY")).isEqualTo(200);
        assertThat(visit("/").locator("[data-region=at-work] footer a[href='/agents']"))
                .hasText("34 more");
    }

    @Test
    void a_task_whose_steps_are_done_and_that_nobody_finishes_is_not_taken_for_a_failed_one() {
        String task = caller.call(
                        "create_task",
                        "name",
                        "release",
                        "finalizer",
                        "external",
                        "steps",
                        List.of(Map.of("key", "build")))
                .text("task_id");
        long generation = caller.call("claim_step", "step_id", task + ".build", "holder", "ann")
                .generation();
        caller.call("complete_step", "step_id", task + ".build", "holder", "ann", "claim_generation", generation);
        History.sixMinutesPass(folder);

        Locator needs = visit("/").locator("[data-region=needs]");
        assertThat(needs).containsText("release has nobody to finish it");
        assertThat(needs).not().containsText("failed");
    }

    @Test
    void when_nothing_needs_a_person_one_quiet_line_says_what_would() {
        caller.call("claim", "resource", "key:deploy", "holder", "ann");

        Page page = visit("/");

        assertThat(page.locator("h1")).hasText("Nothing needs you");
        assertThat(page.locator("[data-region=needs]")).containsText("claims that go quiet");
        assertThat(page.locator("[data-region=needs]")).not().containsText("Nothing needs");
        assertThat(page.evaluate("document.querySelector('[data-region=needs]').offsetHeight < 80"))
                .isEqualTo(true);
    }

    @Test
    void a_task_whose_follow_up_was_given_up_needs_a_person() {
        String task = caller.call("create_task", "name", "release", "steps", List.of(Map.of("key", "build")))
                .text("task_id");
        long generation = caller.call("claim_step", "step_id", task + ".build", "holder", "ann")
                .generation();
        caller.call("complete_step", "step_id", task + ".build", "holder", "ann", "claim_generation", generation);
        Awaitility.await()
                .until(() -> caller.call("get_task", "task_id", task)
                        .body()
                        .toString()
                        .contains("\"complete\""));
        History.followUpsAreGivenUp(folder, "ci.example.org answered 502 ten times");

        assertThat(visit("/").locator("[data-region=needs]")).containsText("release: the follow-up was given up");
        assertThat(visit("/").locator("[data-region=needs]")).containsText("answered 502 ten times");
        assertThat(visit("/tasks/" + task).getByText("Retry now")).isVisible();
    }
}
