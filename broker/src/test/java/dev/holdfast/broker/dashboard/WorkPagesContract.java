package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.SelectOption;
import dev.holdfast.broker.BrokerClient;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The backlog in a browser: what stands where and why, and what a person can do about it. */
abstract class WorkPagesContract extends PageContract {
    private void make(String id, String title, Object... more) {
        Object[] all = new Object[4 + more.length];
        System.arraycopy(new Object[] {"id", id, "title", title}, 0, all, 0, 4);
        System.arraycopy(more, 0, all, 4, more.length);
        done("create_work", all);
    }

    private static long generation(BrokerClient.Reply claimed) {
        return claimed.body().path("claim").path("claim_generation").asLong();
    }

    /** Says that an item goes into no queue: nobody knows of any yet. */
    private static void chooseNoQueue(Page page) {
        page.locator("#new-item select[name=queue]")
                .selectOption(new SelectOption().setLabel("No queue: commands typed in a repository do not see it"));
    }

    @Test
    void the_list_goes_on_while_somebody_types_in_its_filter() {
        make("hf-a", "First", "queue", "shop");
        Page page = visit("/work?view=list");
        page.locator("input[name=queue]").first().focus();
        page.keyboard().type("shp");
        page.keyboard().press("ArrowLeft");

        make("hf-b", "Second", "queue", "shop");
        assertThat(page.locator("[data-region=list] [data-row]")).hasCount(2);
        page.keyboard().type("o");
        assertThat(page.locator("input[name=queue]").first()).hasValue("shop");
        assertThat(page.locator(".newer")).hasCount(0);
    }

    @Test
    void a_new_item_goes_into_a_known_queue_unless_somebody_wants_none() {
        make("hf-a", "First", "queue", "shop");
        make("hf-b", "Second", "queue", "ledger");
        Page page = visitAs("mira", "/work");
        page.keyboard().press("c");
        assertThat(page.locator("#new-item select[name=queue]")).hasValue("ledger"); // used last
        assertThat(page.locator("#new-item select[name=queue] option")).hasCount(4);
        page.locator("#new-item input[name=title]").fill("Third");
        page.locator("#new-item button[type=submit]").click();
        assertThat(page.locator("[data-region=board] .item:has-text('Third') .tag"))
                .hasText("ledger");

        page.navigate(broker.url() + "/work?view=list&queue=shop");
        page.keyboard().press("c");
        assertThat(page.locator("#new-item select[name=queue]")).hasValue("shop"); // filtered by
        page.locator("#new-item input[name=title]").fill("Fourth");
        page.locator("#new-item select[name=queue]").selectOption(new SelectOption().setLabel("Another queue…"));
        page.locator("#new-item button[type=submit]").click();
        assertThat(page.locator("#new-item")).isVisible(); // which one?
        page.locator("#new-item input[name=queue]").fill("till");
        page.locator("#new-item button[type=submit]").click();
        assertThat(page.locator("#new-item")).isHidden();

        page.navigate(broker.url() + "/work");
        page.keyboard().press("c");
        assertThat(page.locator("#new-item select[name=queue]")).hasValue("till");
        page.locator("#new-item input[name=title]").fill("Fifth");
        chooseNoQueue(page);
        page.locator("#new-item button[type=submit]").click();
        assertThat(page.locator("[data-region=board] .item:has-text('Fifth')")).hasCount(1);
        assertThat(page.locator("[data-region=board] .item:has-text('Fifth') .tag"))
                .hasCount(0);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_repository_that_somebody_was_in_is_where_a_first_item_goes() throws Exception {
        caller.http()
                .send(
                        HttpRequest.newBuilder(URI.create(broker.url() + "/api/v1/list_work"))
                                .header("Content-Type", "application/json")
                                .header("Holdfast-Repository", "name=shop&root=" + "1".repeat(40) + "&folder=/src/shop")
                                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
        Page page = visitAs("mira", "/work");

        page.keyboard().press("c");
        assertThat(page.locator("#new-item select[name=queue]")).hasValue("shop");
    }

    @Test
    void the_same_form_sent_twice_creates_one_item_and_the_next_one_creates_another() {
        Page page = visitAs("mira", "/work");
        String form = "title=Only+once&form_key=k-1";
        assertThat(post(page, "/ui/do/create_work", "title=&form_key=k-1"))
                .isEqualTo(400); // refused: it may be sent again
        assertThat(post(page, "/ui/do/create_work", form)).isEqualTo(200);
        assertThat(post(page, "/ui/do/create_work", form)).isEqualTo(200);
        assertThat(visitAs("mira", "/work?view=list").getByText("Only once")).hasCount(1);
        assertThat(post(visitAs("nora", "/work"), "/ui/do/create_work", form)).isEqualTo(200);
        assertThat(visitAs("mira", "/work?view=list").getByText("Only once")).hasCount(2);

        for (String title : List.of("By hand", "By hand again")) {
            page.keyboard().press("c");
            page.locator("#new-item input[name=title]").fill(title);
            chooseNoQueue(page);
            page.locator("#new-item")
                    .getByText("Create", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(page.locator("main")).containsText(title);
        }
        assertThat(page.getByText("By hand")).hasCount(2);
    }

    @Test
    void what_was_changed_in_a_form_before_it_is_sent_again_is_not_taken_for_what_was_done() {
        Page page = visitAs("mira", "/work");
        assertThat(post(page, "/ui/do/create_work", "title=Mispelt&form_key=k-2"))
                .isEqualTo(200);
        assertThat(post(page, "/ui/do/create_work", "title=Misspelt&form_key=k-2"))
                .isEqualTo(200);
        assertThat(visitAs("mira", "/work?view=list").getByText("Misspelt")).hasCount(1);
    }

    @Test
    void a_form_that_the_broker_has_refused_is_sent_anew_and_one_without_an_answer_is_sent_again() {
        Page page = visitAs("mira", "/work");
        List<String> keys = new ArrayList<>();
        page.route("**/ui/do/create_work", route -> {
            Matcher key =
                    Pattern.compile("form_key=([^&]+)").matcher(route.request().postData());
            keys.add(key.find() ? key.group(1) : "none");
            switch (keys.size()) {
                case 1 -> route.abort();
                case 2 ->
                    route.fulfill(new Route.FulfillOptions()
                            .setStatus(409)
                            .setBody("{\"code\":\"bad_state\",\"error\":\"this form was sent before\"}"));
                default -> route.resume();
            }
        });
        page.keyboard().press("c");
        page.locator("#new-item input[name=title]").fill("Once more");
        chooseNoQueue(page);
        Locator create = page.locator("#new-item button[type=submit]");

        create.click();
        assertThat(page.locator(".toast.bad")).hasCount(1);
        create.click();
        assertThat(page.locator(".toast.bad")).hasCount(2);
        create.click();
        assertThat(page.locator("[data-region=board]")).containsText("Once more");

        assertThat(keys).hasSize(3);
        assertThat(keys.get(1)).isEqualTo(keys.get(0));
        assertThat(keys.get(2)).isNotEqualTo(keys.get(1));
        page.unroute("**/ui/do/create_work");
    }

    @Test
    void cards_fit_their_lanes_on_a_laptop_and_an_item_without_a_queue_has_no_empty_tag() {
        make("hf-a", "First");
        done("create_work", "id", "hf-b", "title", "Second", "queue", "a-repository-with-a-rather-long-name");
        done("claim_work", "id", "hf-a", "holder", "claude-3fa91c");
        done("claim_work", "id", "hf-b", "holder", "an-agent-that-has-given-itself-a-long-name");
        Page page = visit("/work");
        page.setViewportSize(1280, 800);
        try {
            assertThat(page.locator(".item .hold")).hasCount(2);
            assertThat(page.evaluate("""
                            [...document.querySelectorAll('.item .hold, .item .l1')].filter(row => row.scrollWidth > row.clientWidth
                                || [...row.children].some(part => part.getBoundingClientRect().right > row.getBoundingClientRect().right + 1)).length""")).isEqualTo(0);
            assertThat(page.locator("[data-key=hf-b] .tag")).hasCount(1);
            assertThat(page.locator("[data-key=hf-a] .tag")).hasCount(0);
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    @Test
    void an_empty_backlog_says_what_to_do_and_has_the_command_to_copy() {
        Page page = visit("/work");

        assertThat(page.locator(".empty")).containsText("No work items yet");
        assertThat(page.locator("[data-copy^='holdfast work create']")).hasCount(1);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_board_has_a_lane_per_status_and_says_why_an_item_is_not_ready() {
        make("hf-a", "First");
        make("hf-b", "Second", "depends_on", List.of("hf-a"));
        make("hf-c", "Third");
        done("claim_work", "id", "hf-a", "holder", "claude-3fa91c");

        Page page = visit("/work");

        assertThat(page.locator("[data-lane=open]")).containsText("hf-c");
        assertThat(page.locator("[data-lane=in_progress]")).containsText("claude-3fa91c");
        assertThat(page.locator("[data-lane=in_progress] .lease")).hasCount(1);
        assertThat(page.locator("[data-lane=blocked]")).containsText("Waits for hf-a, held by claude-3fa91c");
        assertThat(page.locator(".lead")).containsText("1 ready, 1 in progress, 1 blocked");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void what_was_begun_and_is_held_by_nobody_is_named() {
        make("hf-a", "First");
        done("claim_work", "id", "hf-a", "holder", "ann");
        done("release", "resource", "work:hf-a", "holder", "ann", "claim_generation", 1, "keep_status", true);

        Page page = visit("/work");
        assertThat(page.locator("[data-lane=in_progress]")).containsText("Started, but nobody holds it");
        assertThat(page.locator(".lead")).containsText("0 ready, 0 in progress, 1 started but held by nobody");
        assertThat(visit("/work?view=holder").locator("[data-lane=unheld]")).containsText("hf-a");
    }

    /** The contrast between the graph's faintest line and what it is drawn on, as WCAG 2.2 reckons it. */
    private static final String FAINTEST = """
            () => {
              const linear = c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
              const light = colour => { const [r, g, b] = colour.match(/[0-9.]+/g).map(c => linear(c / 255)); return .2126 * r + .7152 * g + .0722 * b; };
              const ground = light(getComputedStyle(document.querySelector('[data-region=graph] .panel')).backgroundColor);
              return Math.min(...[...document.querySelectorAll('.graph .ge, .graph .gh')].map(line => {
                const its = light(line.matches('.ge') ? getComputedStyle(line).stroke : getComputedStyle(line).fill);
                return (Math.max(its, ground) + .05) / (Math.min(its, ground) + .05);
              }));
            }""";

    @Test
    void the_graph_shows_what_the_end_waits_for() {
        make("hf-a", "First");
        make("hf-b", "Second", "depends_on", List.of("hf-a"));
        make("hf-x", "Beside");
        make("hf-end", "The end", "type", "epic", "depends_on", List.of("hf-b", "hf-x"));

        Page page = visit("/work");

        assertThat(page.locator("[data-region=graph]")).containsText("3 left, 0 in progress");
        assertThat(page.locator(".gn")).hasCount(4);
        assertThat(page.locator("path.ge.crit")).hasCount(3); // two lines and the one of the legend

        try {
            for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colours));
                assertThat((double) page.evaluate(FAINTEST))
                        .as("contrast of the faintest line, " + colours)
                        .isGreaterThanOrEqualTo(3);
            }
        } finally {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        }

        done("claim_work", "id", "hf-x", "holder", "ann"); // beside the critical path
        assertThat(visit("/work/hf-end").locator("[data-region=graph]")).containsText("3 left, 1 in progress");
    }

    @Test
    void an_items_page_tells_what_it_waited_for_and_what_happened_in_words() {
        make("hf-a", "First");
        make("hf-end", "The end", "depends_on", List.of("hf-a"));
        long generation = generation(done("claim_work", "id", "hf-a", "holder", "bob"));
        done("close_work", "id", "hf-a", "holder", "bob", "claim_generation", generation, "reason", "merged");
        long next = generation(done("claim_work", "id", "hf-end", "holder", "bob"));
        done(
                "release",
                "resource",
                "work:hf-end",
                "holder",
                "bob",
                "claim_generation",
                next,
                "failed",
                true,
                "note",
                "no luck");

        Page page = visit("/work/hf-end");

        assertThat(page.locator("[data-region=graph]")).containsText("1 of 1 closed");
        assertThat(page.locator("[data-region=graph]")).containsText("What it waited for");
        assertThat(page.locator("[data-region=graph]")).not().containsText("left");
        assertThat(page.locator("[data-region=before]")).containsText("Waited for");
        assertThat(page.locator("[data-region=history]")).containsText("bob tried and failed");
        assertThat(page.locator("[data-region=history]")).containsText("no luck");
        assertThat(page.locator("[data-region=history]")).not().containsText("attempts");
    }

    @Test
    void a_graph_of_more_than_thirty_items_is_drawn_with_those_that_stand_alike_as_one() {
        make("hf-end", "The end", "type", "epic");
        for (int i = 0; i < 40; i++) {
            make("p" + i, "Part " + i, "parent", "hf-end");
        }
        for (int i = 1; i < 20; i++) {
            done("add_dependency", "id", "p" + i, "depends_on", "p" + (i - 1));
        }

        Page page = visit("/work?epic=hf-end");

        assertThat(page.locator(".legend")).containsText("41 items");
        assertThat(page.locator("[data-region=graph]")).containsText("more in between");
        assertThat(page.locator(".gn").count()).isLessThanOrEqualTo(30);
    }

    @Test
    void items_are_shown_by_who_has_them_and_as_a_list_that_pages_and_filters() {
        for (int i = 0; i < 60; i++) {
            make("hf-" + i, "Item " + i, "queue", i % 2 == 0 ? "shop" : "docs", "labels", List.of("c++ & c#"));
        }
        done("claim_work", "id", "hf-7", "holder", "codex-2be7c5");

        assertThat(visit("/work?view=holder").locator(".lane h2")).hasText("codex-2be7c5");
        Page list = visit("/work?view=list");
        assertThat(list.locator("tbody tr")).hasCount(50);
        list.locator(".filter [name=label]").fill("c++ & c#");
        list.locator(".filter button[type=submit]").click();
        assertThat(list.locator("tbody tr")).hasCount(50);
        list.locator("a[rel=next]").click();
        assertThat(list.locator("tbody tr")).hasCount(10);
        assertThat(visit("/work?view=list&queue=docs").locator("tbody tr")).hasCount(30);
        assertThat(visit("/work?view=list&holder=codex-2be7c5").locator("tbody tr"))
                .hasCount(1);
        assertThat(visit("/work?view=list&queue=none").locator(".empty")).containsText("Nothing matches");
        assertThat(visit("/work?view=list&after=nonsense").locator(".empty")).containsText("Nothing matches");
    }

    @Test
    void a_change_leaves_the_rows_that_are_the_same_what_and_where_they_are() {
        make("hf-a", "First");
        make("hf-b", "Second");
        make("hf-c", "Third");
        for (String view : List.of("/work?view=list", "/work")) {
            Page page = visitAs("mira", view);
            page.evaluate("document.querySelectorAll('[data-key]').forEach(row => { row.mark = true; })");
            done("claim_work", "id", "hf-b", "holder", "ann");
            assertThat(page.locator("[data-key=hf-b]")).containsText("ann");
            assertThat(
                            page.evaluate(
                                    "[...document.querySelectorAll('[data-key]')].filter(row => row.mark).map(row => row.dataset.key).sort().join()"))
                    .isEqualTo("hf-a,hf-c");
            done("release", "resource", "work:hf-b", "holder", "ann", "claim_generation", view.equals("/work") ? 2 : 1);
            assertThat(page.locator("[data-key=hf-b]")).not().containsText("ann");
        }
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_filters_of_the_list_complete_from_all_that_the_broker_knows() {
        make("hf-a", "First", "queue", "shop", "labels", List.of("money"));
        done("start_session", "session_id", "s-1", "kind", "person", "name", "zoe");
        Page page = visit("/work?view=list&queue=none"); // nothing is on the page
        for (List<String> one : List.of(
                List.of("queue", "sh", "shop"), List.of("holder", "z", "zoe"), List.of("label", "mo", "money"))) {
            page.locator(".filter [name=" + one.get(0) + "]").fill(one.get(1));
            assertThat(page.locator("datalist option[value=" + one.get(2) + "]"))
                    .hasCount(1);
        }
    }

    @Test
    void a_form_that_is_sent_twice_has_one_effect() {
        make("hf-a", "First");
        Page page = visitAs("mira", "/work");
        page.getByText("New item").first().click();
        page.locator("#new-item input[name=title]").fill("Second");
        chooseNoQueue(page);
        page.locator("#new-item button[type=submit]").dblclick();
        assertThat(page.locator("[data-region=board]")).containsText("Second");
        assertThat(page.locator(".lead")).containsText("2 ready");

        page = visitAs("mira", "/work/hf-a");
        page.locator("main form[hx-post$='claim_work'] button").dblclick();
        assertThat(page.locator("[data-region=facts]")).containsText("mira");
        page.getByText("Release…").click();
        page.locator("#take-back textarea").fill("tried twice");
        sendTwice(page, "#take-back form");
        assertThat(page.locator("[data-region=facts]")).containsText("nobody");
        page.getByText("Park…").click();
        page.locator("#park textarea").fill("wait");
        sendTwice(page, "#park form");
        assertThat(page.locator("[data-region=head] .badge")).hasText("parked");
        assertThat(page.locator(".toast.bad")).hasCount(0);
        assertThat(happened("work:hf-a", "claimed")).isEqualTo(1);
        assertThat(happened("work:hf-a", "reclaimed")).isEqualTo(1);
        assertThat(browser.complaints()).isEmpty();
    }

    /** A title that looks like a page's own marks: what is live must neither cut a page at it nor take it for a part of it. */
    @Test
    void a_title_that_looks_like_a_part_of_the_page_neither_breaks_nor_becomes_one() {
        String evil =
                "x data-v=\"0\" data-region=\"board\"> data-v=\"0\" data-row data-key=\"hf-b\" </li></ul></section>";
        make("hf-a", evil);
        make("hf-b", "Second");
        Page page = visit("/work");

        done("claim_work", "id", "hf-b", "holder", "<b data-region=head>ann</b>");

        assertThat(page.locator("[data-key=hf-b]")).containsText("<b data-region=head>ann</b>");
        assertThat(page.locator("[data-key=hf-a] .t")).hasText(evil);
        assertThat(page.locator("[data-key]")).hasCount(2);
        assertThat(page.locator("[data-region] [data-region]")).hasCount(0);
        done("create_work", "id", "hf-c", "title", "Third");
        assertThat(page.locator("[data-lane=open]")).containsText("Third");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void others_text_on_the_board_and_on_an_item_is_only_ever_text() {
        make("hf-a", HOSTILE, "description", HOSTILE, "labels", List.of("<b>x</b>"));
        done("claim_work", "id", "hf-a", "holder", "claude-3fa91c");
        done("update_work", "id", "hf-a", "holder", "claude-3fa91c", "claim_generation", 1, "note", HOSTILE);

        assertHarmless(visit("/work"));
        assertHarmless(visit("/work?view=list"));
        assertHarmless(visit("/work/hf-a"));
    }

    @Test
    void a_person_makes_an_item_and_the_board_shows_it_without_being_loaded_again() {
        make("hf-a", "First");
        Page page = visitAs("mira", "/work");
        page.evaluate("window.stayed = true");

        page.getByText("New item").first().click();
        page.locator("#new-item input[name=title]").fill("Second");
        chooseNoQueue(page);
        page.locator("#new-item button[type=submit]").click();

        assertThat(page.locator("[data-region=board]")).containsText("Second");
        assertThat(page.evaluate("window.stayed")).isEqualTo(true);
    }

    @Test
    void what_is_picked_in_the_list_gets_a_priority_together_and_what_is_refused_is_told() {
        make("hf-a", "First");
        make("hf-b", "Second");
        make("hf-c", "Third");
        done("claim_work", "id", "hf-c", "holder", "claude-3fa91c");
        Page page = visitAs("mira", "/work?view=list");
        page.locator("[data-pick-all]").check();
        assertThat(page.locator(".pick")).containsText("3 selected");

        page.getByText("Priority…").click();
        page.locator("#rank-picked select").selectOption("0");
        page.getByText("Set priority").click();

        assertThat(page.locator(".toast").first()).containsText("2 done");
        assertThat(page.locator(".toast.bad")).containsText("1 refused");
        assertThat(caller.call("get_work", "id", "hf-a").body().toString()).contains("\"priority\":0");
        assertThat(caller.call("get_work", "id", "hf-b").body().toString()).contains("\"priority\":0");
    }

    @Test
    void on_a_phone_items_of_the_list_are_picked_by_their_boxes() {
        make("hf-a", "First");
        make("hf-b", "Second");
        Page page = visitAs("mira", "/work?view=list");
        page.setViewportSize(Browser.Size.PHONE.width, Browser.Size.PHONE.height);
        try {
            page.locator("[data-key=hf-a] input[name=pick]").check();
            assertThat(page.locator(".pick")).containsText("1 selected");
            page.getByText("Select all on this page").click();
            assertThat(page.locator(".pick")).containsText("2 selected");
            assertThat(page.locator(".pick button").first()).isInViewport();
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    @Test
    void a_person_claims_an_item_on_its_page() {
        make("hf-a", "First");
        Page page = visitAs("mira", "/work/hf-a");

        page.locator("main")
                .getByText("Claim", new com.microsoft.playwright.Locator.GetByTextOptions().setExact(true))
                .click();

        assertThat(page.locator("[data-region=facts]")).containsText("mira");
    }

    @Test
    void a_stuck_claim_is_released_with_a_reason_that_the_holder_and_the_audit_get() {
        make("hf-a", "First");
        long generation = generation(done("claim_work", "id", "hf-a", "holder", "claude-3fa91c"));
        Page page = visitAs("mira", "/work/hf-a");

        page.getByText("Release…").click();
        page.locator("#take-back textarea").fill("its machine is off");
        page.locator("#take-back button[type=submit]").click();

        assertThat(page.locator("[data-region=facts]")).containsText("nobody");
        assertThat(page.locator("[data-region=history]")).containsText("its machine is off");
        assertThat(page.locator("[data-region=history] li").first()).containsText("mira");
        assertThat(caller.call("heartbeat", "holder", "claude-3fa91c").body().toString())
                .contains("its machine is off");
        assertThat(caller.call(
                                "release",
                                "resource",
                                "work:hf-a",
                                "holder",
                                "claude-3fa91c",
                                "claim_generation",
                                generation)
                        .status())
                .isEqualTo(412);
    }

    @Test
    void a_claim_that_somebody_else_has_by_now_is_not_released() {
        make("hf-a", "First");
        BrokerClient.Reply first = done("claim_work", "id", "hf-a", "holder", "claude-3fa91c");
        Page page = visitAs("mira", "/work/hf-a");
        page.getByText("Release…").click();
        page.locator("#take-back textarea").fill("stuck");
        done("release", "resource", "work:hf-a", "holder", "claude-3fa91c", "claim_generation", generation(first));
        done("claim_work", "id", "hf-a", "holder", "codex-2be7c5");

        page.locator("#take-back button[type=submit]").click();

        assertThat(page.locator(".toast.bad")).containsText("no longer held");
        assertThat(page.locator("#take-back textarea")).hasValue("stuck");
        assertThat(caller.call("get_work", "id", "hf-a").body().toString()).contains("codex-2be7c5");
    }

    @Test
    void an_item_is_parked_with_a_reason_unparked_and_closed() {
        make("hf-a", "First");
        Page page = visitAs("mira", "/work/hf-a");

        page.getByText("Park…").click();
        page.locator("#park textarea").fill("wait for the vendor");
        page.locator("#park button[type=submit]").click();
        assertThat(page.locator("[data-region=head] .badge")).hasText("parked");
        assertThat(page.locator("[data-region=why]")).hasText("Parked: wait for the vendor");
        assertThat(page.locator("[data-region=history]")).containsText("parked it");
        assertThat(visitAs("mira", "/work").locator(".lead")).containsText("1 blocked (1 parked)");
        assertThat(page.locator("[data-key=hf-a]")).containsText("Parked: wait for the vendor");
        page.navigate(broker.url() + "/work/hf-a");
        page.locator("[data-region=head]").getByText("Unpark").click();
        assertThat(page.locator(".toast.good").last()).hasText("Unparked");
        assertThat(page.locator("[data-region=head] .badge")).containsText("ready");
        page.getByText("Close…").click();
        page.locator("#close textarea").fill("not needed");
        page.locator("#close button[type=submit]").click();
        assertThat(page.locator("[data-region=head] .badge")).containsText("closed");
    }

    @Test
    void an_item_that_does_not_exist_is_said_to_be_missing() {
        assertThat(visit("/work/none").locator("main")).containsText("There is no work item none");
    }
}
