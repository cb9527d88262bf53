package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What all pages share. */
abstract class DashboardContract extends OnDashboard {
    @Test
    void the_address_of_the_broker_shows_who_is_at_work() {
        caller.call("claim", "resource", "key:deploy", "holder", "claude-3fa91c");

        Page page = visit("/");

        assertThat(page.locator("[data-region=at-work]")).containsText("claude-3fa91c");
        assertThat(page.locator("[data-region=at-work] .lease")).hasCount(1);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void what_happens_appears_without_loading_the_page_again() {
        Page page = visit("/");
        page.evaluate("window.stayed = true");

        caller.call("claim", "resource", "key:deploy", "holder", "claude-3fa91c");

        assertThat(page.locator("[data-region=at-work]")).containsText("claude-3fa91c");
        assertThat(page.evaluate("window.stayed")).isEqualTo(true);
    }

    @Test
    void the_numbers_of_a_chart_are_a_click_away_and_stay_open_as_they_change() {
        caller.call("create_work", "title", "first");
        Page page = visit("/");
        Locator chart = page.locator(".chart").first();
        chart.getByText("Numbers").click();
        Locator items = chart.locator("tbody tr").first().locator("td").nth(1);
        assertThat(items).hasText("1");
        assertThat(chart.locator("tbody tr")).hasCount(24);

        caller.call("create_work", "title", "second");

        assertThat(items).hasText("2");
        assertThat(items).isVisible();
    }

    @Test
    void a_stretch_of_time_without_a_verdict_is_a_gap_and_not_zero() throws Exception {
        approved();
        Page page = visit("/");
        Locator stretches = page.locator("#chart-time-to-verdict-minutes tbody tr");

        assertThat(stretches.first().locator("td").first()).not().hasText("none");
        assertThat(stretches.nth(1).locator("td")).hasText(new String[] {"none", "none"});
        assertThat(page.locator(".chart:has(#chart-time-to-verdict-minutes) path.ln.sea"))
                .hasAttribute("d", Pattern.compile("M240\\.0 [0-9.]+h0"));
    }

    @Test
    void others_text_is_only_ever_text() {
        caller.call(
                "claim",
                "resource",
                "key:<script>alert(1)</script>",
                "holder",
                "\u202eevil\"><img src=x onerror=alert(1)>");
        caller.call("reserve_paths", "queue", "shop", "paths", List.of("new\nline\t.txt"), "holder", "ann");

        Page page = visit("/");

        assertThat(page.locator("[data-region=at-work]")).containsText("new⟨U+000A⟩line⟨U+0009⟩.txt");

        assertThat(page.locator("[data-region=at-work]")).containsText("<script>alert(1)</script>");
        assertThat(page.locator("[data-region=at-work]")).containsText("⟨U+202E⟩evil");
        PageContract.assertNothingHides(page);
        assertThat(page.locator("main img, main script")).hasCount(0);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void pages_forbid_inline_scripts_frames_and_anything_from_elsewhere() throws Exception {
        HttpResponse<String> page = get("/");

        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.body()).doesNotContain("style=\"", "onclick=", "javascript:");
    }

    @Test
    void a_search_with_characters_that_no_text_has_finds_nothing_and_breaks_nothing() throws Exception {
        for (String address : List.of("/reviews?q=a%00b", "/work?q=%00", "/tasks?q=%00", "/events?q=%00&actor=a%00")) {
            assertThat(get(address).statusCode()).as(address).isEqualTo(200);
        }
    }

    @Test
    void files_are_kept_by_browsers_under_an_address_that_changes_with_them() throws Exception {
        HttpResponse<String> styles = get(Assets.at("holdfast.css"));

        assertThat(styles.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
        assertThat(styles.body()).contains("--sea:", ".lease", "@media (max-width: 760px)");
        assertThat(get(Assets.at("js/htmx.js")).body()).contains("htmx");
        assertThat(get("/ui/assets/0000000000000000/holdfast.css").headers().firstValue("Cache-Control"))
                .hasValue("no-cache");
        assertThat(get("/ui/assets/x/no-such-file").statusCode()).isEqualTo(404);
    }

    @Test
    void the_person_is_asked_once_and_acts_by_that_name() {
        Page page = visit("/");
        page.getByText("Who are you?").first().click();
        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();

        Locator name = page.locator(".who-am");
        assertThat(name).containsText("mira");
        page.reload();
        page.waitForLoadState(LoadState.DOMCONTENTLOADED);
        assertThat(name).containsText("mira");
        caller.call("create_work", "id", "hf-deploy", "title", "Deploy");
        Object status = post(page, "/ui/do/claim_work", "id=hf-deploy");
        assertThat(status).isEqualTo(200);
        assertThat(page.locator("[data-region=at-work]")).containsText("mira");
    }

    @Test
    void a_name_that_belongs_to_the_broker_is_refused_and_what_was_typed_stays() {
        Page page = visit("/");
        page.getByText("Who are you?").first().click();
        page.locator("#person input[name=name]").fill("holdfast");
        page.getByText("Use this name").click();

        assertThat(page.locator(".toast")).containsText("reserved for the broker");
        assertThat(page.locator("#person input[name=name]")).hasValue("holdfast");
    }

    @Test
    void an_action_without_the_pages_token_or_from_another_site_changes_nothing() throws Exception {
        caller.call("create_work", "id", "hf-deploy", "title", "Deploy");
        HttpResponse<String> page = get("/");
        String cookie = page.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
        String token = cookie.substring(cookie.indexOf('=') + 1);

        assertThat(act(cookie, null, "same-origin").statusCode()).isEqualTo(403);
        assertThat(act(cookie, "0".repeat(48), "same-origin").statusCode()).isEqualTo(403);
        assertThat(act(cookie, token, "same-site").statusCode()).isEqualTo(403);
        assertThat(act(cookie, token, "cross-site").statusCode()).isEqualTo(403);
        assertThat(act("none=1", token, "same-origin").statusCode()).isEqualTo(403);
        assertThat(caller.call("who").body().path("holders")).isEmpty();
        assertThat(act(cookie, token, "same-origin").statusCode()).isEqualTo(200);
    }

    @Test
    void an_action_is_fenced_and_refused_as_everybodys() {
        caller.call("create_work", "id", "hf-deploy", "title", "Deploy");
        caller.call("claim_work", "id", "hf-deploy", "holder", "claude-3fa91c");
        Page page = visitAs("mira", "/");

        assertThat(post(page, "/ui/do/claim_work", "id=hf-deploy")).isEqualTo(409);
        assertThat(post(page, "/ui/do/no_such_verb", "")).isEqualTo(404);
        assertThat(post(page, "/ui/do/create_token", "name=eve")).isEqualTo(404); // no page offers it
        assertThat(post(page, "/ui/do/claim_work", "")).isEqualTo(400);
    }

    @Test
    void a_region_that_somebody_types_in_is_not_swapped_but_says_that_there_is_something_newer() {
        Page page = visit("/");
        page.evaluate(
                "document.querySelector('[data-region=at-work]').insertAdjacentHTML('beforeend', '<textarea id=typed></textarea>')");
        page.locator("#typed").fill("half a thought");

        caller.call("claim", "resource", "key:deploy", "holder", "claude-3fa91c");

        assertThat(page.locator("[data-region=at-work] .newer")).isVisible();
        assertThat(page.locator("#typed")).hasValue("half a thought");
        page.locator(".newer").click();
        assertThat(page.locator("[data-region=at-work]")).containsText("claude-3fa91c");
    }

    @Test
    void a_broker_that_restarts_under_an_open_page_is_missed_and_found_again() {
        int port = URI.create(broker.url()).getPort();
        Page page = browser.window(Browser.Size.DESKTOP, ColorScheme.LIGHT); // not to be used again: its clock is ours
        page.clock().install();
        page.navigate(broker.url() + "/");
        page.evaluate("window.stayed = true");
        assertThat(page.locator("#live")).containsText("Live");

        broker.close();
        page.clock().fastForward(11_000);
        assertThat(page.locator("#stale")).isVisible();
        broker = Broker.start(at(config(folder), port));
        try (BrokerClient again = new BrokerClient(broker)) {
            again.call("claim", "resource", "key:deploy", "holder", "claude-3fa91c");
        }

        page.clock().fastForward(30_000);
        assertThat(page.locator("[data-region=at-work]")).containsText("claude-3fa91c");
        assertThat(page.locator("#stale")).isHidden();
        assertThat(page.evaluate("window.stayed")).isEqualTo(true);
    }

    @Test
    void while_the_broker_is_away_nothing_is_sent_and_nothing_that_was_typed_is_lost() {
        int port = URI.create(broker.url()).getPort();
        Page page = browser.window(Browser.Size.DESKTOP, ColorScheme.LIGHT); // not to be used again: its clock is ours
        page.clock().install();
        page.navigate(broker.url() + "/");
        page.locator("[data-open=person]").first().click();
        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();
        assertThat(page.locator(".who-am")).isVisible();
        page.navigate(broker.url() + "/work");
        assertThat(page.locator("#live")).containsText("Live");
        page.keyboard().press("c");
        page.locator("#new-item [name=title]").fill("Typed before it went away");
        page.locator("#new-item input[name=queue]").fill("shop");

        broker.close();
        page.clock().fastForward(11_000);
        assertThat(page.locator("#stale")).isVisible();
        page.locator("#new-item button[type=submit]").click();
        assertThat(page.locator(".toast.bad")).containsText("Nothing was sent");
        assertThat(page.locator("#new-item [name=title]")).hasValue("Typed before it went away");
        broker = Broker.start(at(config(folder), port));

        page.clock().fastForward(30_000);
        assertThat(page.locator("#stale")).isHidden();
        page.locator("#new-item button[type=submit]").click();
        assertThat(page.locator("[data-region=board]")).containsText("Typed before it went away");
    }

    @Test
    void keys_open_the_palette_the_help_and_pages() {
        Page page = visit("/");

        page.keyboard().press("Control+k");
        assertThat(page.locator("#palette")).isVisible();
        page.keyboard().type("over");
        assertThat(page.locator("#palette .o[aria-selected=true]")).containsText("Overview");
        page.keyboard().press("Escape");
        assertThat(page.locator("#palette")).isHidden();
        page.keyboard().press("?");
        assertThat(page.locator("#help")).isVisible();
    }

    @Test
    void the_palette_finds_reviews_items_tasks_and_agents_by_id_and_by_words() {
        caller.call("start_session", "session_id", "s-1", "kind", "claude", "project", "shop");
        caller.call("create_work", "id", "hf-7q2m", "title", "Lock <img src=x onerror=alert(1)> captures");
        String task = caller.call("create_task", "name", "lock and release", "steps", List.of(Map.of("key", "build")))
                .text("task_id");
        String review = caller.call(
                        "create_review", "intent", "Lock the ledger", "agent_type", "claude", "description", "d")
                .text("review_id");
        Page page = visit("/");
        page.keyboard().press("Control+k");
        Locator found = page.locator("#palette .o");
        assertThat(page.locator("#palette h3").first()).hasText("Go to");

        page.keyboard().type("lock");
        assertThat(found).hasCount(3);
        assertThat(page.locator("#palette h3")).hasText(new String[] {"Reviews", "Work", "Tasks"});
        assertThat(page.locator("#palette [role=group][aria-label=Work] .o")).hasCount(1);
        assertThat(found.first()).containsText("Lock the ledger");
        assertThat(found.first().locator("mark")).hasText("Lock");
        assertThat(found.nth(1)).containsText("<img src=x");
        page.locator("#palette input").fill("claude-");
        assertThat(found.first()).containsText("agent · shop");
        page.locator("#palette input").fill(task.substring(0, 8));
        assertThat(found.first()).containsText("lock and release");
        page.locator("#palette input").fill("hf-7");
        assertThat(found.first()).containsText("hf-7q2m");
        page.locator("#palette input").fill("x".repeat(3_000) + "%_");
        assertThat(found).hasCount(0);
        page.locator("#palette input").fill(review.substring(0, 8));
        assertThat(found.first()).containsText("Lock the ledger");
        page.keyboard().press("Enter");
        assertThat(page.locator("h1")).hasText("Lock the ledger");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void work_that_was_begun_and_is_held_by_nobody_needs_a_person() {
        caller.call("create_work", "id", "hf-a", "title", "First");
        caller.call("claim_work", "id", "hf-a", "holder", "ann");
        caller.call("release", "resource", "work:hf-a", "holder", "ann", "claim_generation", 1, "keep_status", true);

        assertThat(visit("/").locator("[data-region=needs]")).containsText("hf-a was started, but nobody holds it");
    }

    @Test
    void a_browser_at_an_unknown_address_gets_a_page_and_a_program_gets_json() throws Exception {
        HttpResponse<String> page = get("/nope", "text/html,application/xhtml+xml,*/*;q=0.8");
        HttpResponse<String> json = get("/nope", "*/*");

        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(page.body()).contains("There is no page at /nope.");
        assertThat(json.statusCode()).isEqualTo(404);
        assertThat(json.body()).startsWith("{").contains("there is no GET /nope");
        assertThat(get("/api/v1/nope", "text/html").body()).startsWith("{");
    }

    @Test
    void the_beginning_of_an_id_opens_a_review_an_item_or_a_task() throws Exception {
        caller.call("create_work", "title", "Count items", "id", "hf-counting");
        String review = caller.call("create_review", "intent", "Count them", "agent_type", "claude", "description", "d")
                .text("review_id");
        String task = caller.call("create_task", "name", "Count all", "steps", List.of(Map.of("key", "count")))
                .text("task_id");
        assertThat(get("/work/hf-count").body()).contains("Count items");
        assertThat(get("/reviews/" + review.substring(0, 8)).body()).contains("Count them");
        assertThat(get("/tasks/" + task.substring(0, 8)).body()).contains("Count all");
        assertThat(get("/work/hf-").statusCode()).isEqualTo(404);
    }

    @Test
    void who_approved_a_review_is_not_said_to_have_closed_it() throws Exception {
        String id = approved();
        assertThat(caller.call("close_review", "review_id", id, "closer_role", "proposer")
                        .status())
                .isEqualTo(200);

        assertThat(get("/").body()).contains("approved by bob, then closed").doesNotContain("closed by bob");
        assertThat(get("/events?type=verdict_submitted").body()).contains("title=\"bob\"");
        String other = approved();
        assertThat(post(visitAs("mira", "/"), "/ui/do/close_review", "review_id=" + other))
                .isEqualTo(200);
        assertThat(get("/").body()).contains("approved by bob, then closed by mira");
        assertThat(get("/reviews/" + other).body()).contains("<b><bdi>mira</bdi></b> closed it");
        assertThat(get("/events?type=review_closed").body()).contains("title=\"mira\"");
    }

    @Test
    void what_was_done_last_are_reviews_items_and_tasks() throws Exception {
        String review = approved();
        caller.call("create_work", "id", "hf-tower", "title", "Paint the <b>tower</b>");
        caller.call("claim_work", "id", "hf-tower", "holder", "ann");
        BrokerClient.Reply closed = caller.call(
                "close_work", "id", "hf-tower", "holder", "ann", "claim_generation", 1, "reason", "it is white now");
        assertThat(closed.status()).isEqualTo(200);
        String task = caller.call("create_task", "name", "count the ships", "steps", List.of(Map.of("key", "north")))
                .text("task_id");
        caller.call("cancel_task", "task_id", task, "reason", "fog");

        Locator done = visit("/").locator("[data-region=done] tbody tr");

        assertThat(done).hasCount(3);
        assertThat(done.locator("a[href='/reviews/" + review + "']")).containsText("Count items");
        assertThat(done.filter(new Locator.FilterOptions().setHasText("Paint the <b>tower</b>")))
                .containsText("item hf-tower, closed by ann: it is white now");
        assertThat(done.filter(new Locator.FilterOptions().setHasText("count the ships")))
                .containsText("cancelled, 0 of 1 steps succeeded");
    }

    private String approved() throws Exception {
        String id = caller.call("create_review", "intent", "Count items", "agent_type", "claude", "description", "d")
                .text("review_id");
        BrokerClient.Reply claimed = caller.call("claim_review", "review_id", id, "reviewer_id", "bob");
        assertThat(get("/agents").body()).contains("Count items").doesNotContain("holds nothing");
        caller.call("get_proposal", "review_id", id, "caller_id", "bob");
        caller.call(
                "submit_verdict",
                "review_id",
                id,
                "verdict",
                "approved",
                "reviewer_id",
                "bob",
                "claim_generation",
                claimed.generation());
        return id;
    }

    @Test
    void reservations_are_counted_and_shown_by_their_files() throws Exception {
        List<String> paths = List.of("src/cart.py", "src/shop/**", "docs/**");
        caller.call("reserve_paths", "queue", "shop", "paths", paths, "holder", "ann");
        caller.call("create_work", "id", "hf-a", "title", "First", "queue", "shop");
        caller.call("claim_work", "id", "hf-a", "holder", "bob", "paths", List.of("lib/**"));

        assertThat(get("/").body())
                .contains("2 agents hold 1 claim and 2 reservations of files.")
                .contains("src/cart.py, src/shop/** and 1 more")
                .contains("hf-a · lib/**");
        assertThat(get("/agents").body())
                .contains("2 at work.")
                .contains("src/cart.py, src/shop/** and 1 more")
                .doesNotContain("reservation:");
    }

    private static Config at(Config config, int port) {
        return new Config(
                new Config.Server(
                        config.server().host(),
                        port,
                        config.server().loopback(),
                        config.server().state()),
                config.store(),
                config.leases(),
                config.sweeps(),
                config.reviews(),
                config.pool(),
                config.work(),
                config.tasks(),
                config.retention(),
                config.limits(),
                config.given());
    }

    private HttpResponse<String> act(String cookie, @Nullable String token, String site) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(broker.url() + "/ui/do/claim_work"))
                .header("Cookie", cookie + "; holdfast_person=bWlyYQ")
                .header("Sec-Fetch-Site", site)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("id=hf-deploy"));
        if (token != null) {
            request.header("Holdfast-Token", token);
        }
        return caller.http().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get(path, "*/*");
    }

    private HttpResponse<String> get(String path, String accept) throws Exception {
        return caller.http()
                .send(
                        HttpRequest.newBuilder(URI.create(broker.url() + path))
                                .header("Accept", accept)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
