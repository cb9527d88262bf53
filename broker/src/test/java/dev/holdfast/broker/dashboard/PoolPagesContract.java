package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The pool, agents and settings in a browser. */
abstract class PoolPagesContract extends PageContract {
    /** A reviewer that says something and then waits. */
    static Settings withPool() {
        return new Settings()
                .put(Setting.POOL_ENGINE, "command")
                .put(
                        Setting.POOL_COMMAND,
                        List.of("sh", "-c", "echo 'the clock <script>alert(1)</script>'; exec sleep 100000"))
                .put(Setting.POOL_COOLDOWN, 1L);
    }

    /** As soon as the pool lets one more start. */
    private String spawn() {
        return Awaitility.await()
                .until(() -> caller.call("spawn_reviewer"), reply -> reply.status() != 503)
                .text("reviewer_id");
    }

    @Test
    void the_pool_says_whether_reviewers_can_work_and_shows_each_with_its_log() {
        String id = spawn();

        Page page = visit("/pool?log=" + id);

        assertThat(page.locator("h1")).containsText("1 reviewer running");
        assertThat(page.locator("[data-region=reviewers] tbody tr")).hasCount(1);
        assertThat(page.locator("[data-region=reviewers] .badge")).hasText("active"); // as 'pool status' says
        assertThat(page.locator("[data-region=gauges]")).containsText("tokens are not reported by the command");
        assertThat(page.locator("[data-region=log]")).containsText("the clock"); // it is read again by itself
        assertHarmless(page);
        page.locator("[name=q]").fill("clock");
        page.keyboard().press("Enter");
        assertThat(page.locator(".log mark")).hasText("clock");
        assertThat(visit("/pool?log=" + id + "&q=nothing-like-it").locator("main"))
                .containsText("No line matches");
    }

    @Test
    void a_person_spawns_drains_and_kills_reviewers() {
        Page page = visitAs("mira", "/pool");

        page.locator("[data-open=spawn]").click();
        page.locator("#spawn button[type=submit]").dblclick();
        assertThat(page.locator("h1")).containsText("1 reviewer running");
        assertThat(page.locator(".toast.bad")).hasCount(0); // the second of the two clicks started nothing
        page.locator("[data-open=kill]").click();
        page.locator("#kill button[value=true]").click();
        assertThat(page.locator("#kill")).isVisible(); // it asks why first
        assertThat(page.locator("h1")).containsText("1 reviewer running");
        page.locator("#kill textarea").fill("it only <b>sleeps</b>");
        page.locator("#kill button[value=true]").dblclick();
        assertThat(page.locator("h1")).containsText("No reviewers running");
        assertThat(page.locator("[data-region=reviewers]")).containsText("terminated");
        Page events = visitAs("mira", "/events?type=reviewer_drain_start");
        assertThat(events.locator("[data-region=events] tbody tr").first()).containsText("mira");
        assertThat(events.locator("[data-region=events] tbody tr").first())
                .containsText("force: it only <b>sleeps</b>");
        page = visitAs("mira", "/pool");
        spawn();
        assertThat(page.locator("h1")).containsText("1 reviewer running");
        page.reload();
        page.locator("[data-open=drain-all]").click();
        page.locator("[data-submit-all]").click();
        assertThat(page.locator("h1")).containsText("No reviewers running");
        spawn();
        assertThat(page.locator("h1")).containsText("1 reviewer running");
        page.locator("[data-open=kill]").click();
        page.locator("#kill").getByText("Drain instead").click();
        assertThat(page.locator(".toast.good").last()).hasText("Draining");
        assertThat(page.locator("h1")).containsText("No reviewers running");
    }

    @Test
    void a_phone_shows_what_reviewers_have_done() {
        spawn();
        Page page = visit("/pool");
        page.setViewportSize(Browser.Size.PHONE.width, Browser.Size.PHONE.height);
        try {
            assertThat(page.locator("[data-region=reviewers] .p-sub").first()).containsText("no verdicts yet");
            assertThat(page.locator("[data-region=reviewers] .only-phone").first())
                    .isVisible();
            assertThat(page.evaluate("document.querySelector('.phonebar a').getBoundingClientRect().left > 0"))
                    .isEqualTo(true);
            assertThat(page.evaluate("document.querySelector('.phonebar').scrollWidth <= innerWidth"))
                    .as("all tabs are in view")
                    .isEqualTo(true);
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    @Test
    void who_holds_nothing_is_not_said_to_be_at_work() {
        done("start_session", "session_id", "s-1", "kind", "claude");
        done("claim", "resource", "key:deploy", "holder", "ann");

        Page page = visit("/agents");
        assertThat(page.locator(".lead")).containsText("1 at work, 1 holds nothing.");
        assertThat(page.locator(".side a[href='/agents'] .n")).hasText("1");
        assertThat(page.locator(".side a[href='/agents']")).hasAttribute("title", "Agents: 1 holding something");
    }

    @Test
    void agents_stand_below_who_started_them_with_what_they_hold() {
        done("start_session", "session_id", "s-1", "kind", "claude", "project", "shop");
        String id = done("start_session", "session_id", "s-1", "kind", "claude").text("holder");
        done("claim", "resource", "key:deploy", "holder", id);
        done("claim", "resource", "key:" + HOSTILE, "holder", "somebody");

        Page page = visit("/agents");

        assertThat(page.locator("tbody tr").first()).containsText("key:deploy");
        assertThat(page.locator("tbody tr").first().locator(".lease")).hasCount(1);
        assertThat(page.locator("[data-region=agents]")).containsText("somebody");
        assertHarmless(page);
    }

    @Test
    void without_agents_the_page_has_the_command_that_connects_them() {
        assertThat(visit("/agents").locator(".empty")).containsText("Nobody is at work");
    }

    @Test
    void settings_show_what_is_in_force_and_where_it_is_from_without_secrets() {
        Page page = visit("/settings");

        assertThat(page.locator("tr:has-text('reviewer_pool.spawn_cooldown_seconds')"))
                .containsText("1");
        assertThat(page.locator("tr:has-text('leases.work_seconds')")).containsText("default");
        assertThat(page.locator("tr:has(span:text-is('store.data')) td.mono"))
                .not()
                .containsText("your data folder");
        assertThat(
                        page.locator(
                                "tr:has(span:text-is('limits.body_bytes')) td.mono, tr:has-text('the folder that contains the projects') td.mono"))
                .hasCount(0); // a default in words is no value
        assertThat(page.getByText("Enter your name")).hasCount(1);
        assertThat(page.locator(".phonebar a[href='/settings']")).hasCount(1);
        assertThat(page.locator("[data-region=brokers] li")).hasCount(1);
        assertThat(page.locator("[data-region=health]")).containsText("answers in");
        assertThat(page.content()).doesNotContain("postgres:postgres@");
        assertThat(visit("/settings?show=changed").locator("main")).not().containsText("leases.work_seconds");
        assertThat(visit("/settings?q=no-such-thing").locator(".empty")).containsText("No such setting");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_addresses_of_the_broker_before_still_answer() throws Exception {
        String id = spawn();

        assertThat(get("/dashboard").statusCode()).isEqualTo(302);
        assertThat(get("/dashboard/index.html").statusCode()).isEqualTo(302);
        assertThat(get("/dashboard/api/overview").body())
                .contains("\"uptime_seconds\"", "\"stats\"", "\"pool_active\":true", id)
                .doesNotContain("avg_time_in_state");
        assertThat(get("/dashboard/api/logs").body()).contains(id + ".jsonl", "\"source\":\"reviewer\"");
        assertThat(get("/dashboard/api/logs/" + id + ".jsonl").body()).contains("\"entries\"");
        assertThat(get("/dashboard/api/logs/..%2Fsecret").statusCode()).isEqualTo(404);
        HttpResponse<String> events = get("/dashboard/events");
        assertThat(events.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(events.body()).contains("event: connected", "\"type\":\"overview_update\"");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return caller.http()
                .send(
                        HttpRequest.newBuilder(URI.create(broker.url() + path)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
