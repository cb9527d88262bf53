package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.KeyboardModifier;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.testing.TestRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Finding a review, reading it and deciding. */
abstract class ReviewPagesContract extends OnDashboard {
    private static final String REFUND = "Refund at most what is left of a capture";
    private Team team;

    @Override
    boolean keepsBroker() {
        return true;
    }

    /** The team works for all tests; each has a change of its own to judge. */
    @BeforeEach
    void work(TestInfo test) {
        if (team == null) {
            team = new Team(caller).atWork();
        }
        team.refund("refunds" + Integer.toUnsignedString(test.getDisplayName().hashCode()));
    }

    /** Where projects are looked for. */
    static Path workspace(Path folder) {
        return folder.resolve("workspace");
    }

    private int stillOpen() {
        return counted("pending")
                + counted("claimed")
                + counted("in_review")
                + counted("changes_requested")
                + counted("approved");
    }

    private int counted(String status) {
        return caller.call("get_review_stats")
                .body()
                .path("by_status")
                .path(status)
                .asInt();
    }

    private static int onAPage(int all) {
        return Math.min(all, 50);
    }

    private String refund() {
        return "/reviews/" + team.review(REFUND);
    }

    private Page claimed() {
        Page page = visitAs("mira", refund());
        page.getByText("Claim it").click();
        assertThat(page.locator(".verdict h2")).hasText("Your verdict");
        return page;
    }

    /** One after the other, each once the broker has noted the one before: until then the page may still be swapped. */
    private static void readAll(Page page) {
        Locator lock = page.locator("[data-path$='.lockfile']");
        lock.locator("[data-fold]").click(); // only what was shown can be marked
        assertThat(lock.locator("[data-read]")).hasCount(1);
        int files = page.locator("[data-read]").count();
        for (int noted = 0; noted < files; noted++) {
            page.locator("[data-read]:not(:disabled)").first().dispatchEvent("click");
            assertThat(page.locator("[data-read]:disabled")).hasCount(noted + 1);
        }
    }

    @Test
    void the_list_is_filtered_by_any_field_searched_and_kept_in_the_address() {
        Page page = visit("/reviews");
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(onAPage(stillOpen()));

        page.locator("[data-search]").fill("project:billing");
        page.locator("[data-search]").press("Enter");
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(2);
        assertThat(page).hasURL(Pattern.compile("q=project%3Abilling"));
        page.locator("[data-search]").fill("card numbers");
        page.locator("[data-search]").press("Enter");
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(1);
        page.reload();
        assertThat(page.locator(".chip")).hasCount(2);
        page.locator(".chip a").last().click();
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(2);
    }

    @Test
    void no_page_shows_people_the_words_of_programs() {
        String task = caller.call("list_tasks")
                .body()
                .path("tasks")
                .path(0)
                .path("task_id")
                .asString();
        for (String path : List.of(
                "/",
                "/reviews?view=all",
                refund(),
                "/work",
                "/work?view=holder",
                "/work?view=list",
                "/tasks",
                "/tasks/" + task,
                "/tasks/" + task + "?view=list",
                "/pool",
                "/agents",
                "/events")) {
            Page page = visit(path);
            assertThat(page.evaluate("""
                            () => {
                              const found = [], texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
                              while (texts.nextNode()) {
                                const text = texts.currentNode;
                                if (/[a-z]_[a-z]/.test(text.data) && !text.parentElement.closest('code, pre, .mono, .diff, bdi, datalist')) found.push(text.data);
                              }
                              return found;
                            }""")).as(path).isEqualTo(List.of());
        }
    }

    @Test
    void a_search_that_finds_nothing_says_which_filter_to_drop() {
        Page page = visit("/reviews?q=no-such-words");

        assertThat(page.locator(".empty")).containsText("Nothing matches");
        page.getByText("Drop this filter").click();
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(onAPage(stillOpen()));
    }

    @Test
    void tabs_count_what_they_show() {
        Page page = visit("/reviews");

        assertThat(page.locator(".tabs [aria-current=page]")).hasText(Pattern.compile("Open\\s+" + stillOpen()));
        assertThat(page.locator(".side a[href='/reviews'] .n")).hasText(String.valueOf(stillOpen()));
        assertThat(page.locator(".side a[href='/reviews']")).hasAttribute("title", "Reviews: " + stillOpen() + " open");
        page.locator(".tabs").getByText("Approved").click();
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(counted("approved"));
        assertThat(page.locator("[data-region=list]")).containsText("Name the columns of the export");
    }

    @Test
    void more_than_a_page_is_read_page_by_page() {
        for (int i = 0; i < 52; i++) {
            team.propose(
                    "Change number " + i, "many", "code_change", "claude-3fa91c", Diffs.small("a.txt", i + 1, 1), null);
        }
        Page page = visit("/reviews?order=urgent&q=project:many");
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(50);

        page.locator("a[rel=next]").click();

        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(2);
    }

    @Test
    void what_is_picked_is_withdrawn_together_and_what_is_refused_is_told() {
        Page page = visitAs("mira", "/reviews?q=project:docs-site");
        assertThat(page.locator("[data-region=list] tbody tr")).hasCount(12);
        page.locator("input[name=pick]").first().check();
        page.locator(".pick").getByText("Withdraw").click();
        assertThat(page.locator("#withdraw-picked h2")).hasText("Withdraw 1 review?");
        page.locator("#withdraw-picked").getByText("Cancel").click();
        page.locator("[data-pick-all]").check();
        assertThat(page.locator(".pick")).containsText("12 selected");
        caller.call(
                "withdraw_review",
                "review_id",
                team.review("Move the quick start to the new layout"),
                "reason",
                "done elsewhere");

        page.locator(".pick").getByText("Withdraw").click();
        page.locator("#withdraw-picked input[name=reason]").fill("the guide is rewritten");
        page.getByText("Withdraw them").click();

        assertThat(page.locator(".toast").first()).containsText("done");
        assertThat(page.locator(".empty")).containsText("Nothing matches");
    }

    @Test
    void on_a_phone_reviews_are_picked_by_a_box_as_wide_as_a_thumb_and_withdrawn_together() {
        for (int i = 0; i < 12; i++) {
            team.propose("Small screen " + i, "phones", "docs", "claude-3fa91c", null, "Text " + i);
        }
        Page page = visitAs("mira", "/reviews?q=project:phones");
        page.setViewportSize(Browser.Size.PHONE.width, Browser.Size.PHONE.height);
        try {
            Locator rows = page.locator("[data-region=list] tbody tr");
            assertThat(rows).hasCount(12);
            assertThat(rows.first().locator("input[name=pick]")).isVisible();

            rows.first().click(new Locator.ClickOptions().setPosition(5, 40)); // beside the box, and well below it
            rows.nth(1).locator("input[name=pick]").check();

            assertThat(page.locator(".pick")).containsText("2 selected");
            assertThat(rows.first()).hasAttribute("aria-selected", "true");
            assertThat(page.locator(".pick button").first()).isInViewport();
            assertThat(
                            page.evaluate(
                                    "document.querySelector('.pick').getBoundingClientRect().bottom <= document.querySelector('.phonebar').getBoundingClientRect().top"))
                    .isEqualTo(true);
            assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                    .isEqualTo(true);
            withdrawPicked(page);
            assertThat(rows).hasCount(10);
            page.getByText("Select all on this page").click();
            assertThat(page.locator(".pick")).containsText("10 selected");
            withdrawPicked(page);
            assertThat(page.locator(".empty")).containsText("Nothing matches");
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    private static void withdrawPicked(Page page) {
        page.locator(".pick").getByText("Withdraw").click();
        page.locator("#withdraw-picked input[name=reason]").fill("made on a phone");
        page.getByText("Withdraw them").click();
        page.locator(".toast.good button").click(); // it is where the bar is
    }

    @Test
    void all_that_match_are_withdrawn_after_they_were_counted_not_only_those_on_the_page() {
        for (int i = 0; i < 53; i++) {
            team.propose("Bulk " + i, "bulk", "docs", "claude-3fa91c", null, "Text " + i);
        }
        Page page = visitAs("mira", "/reviews?q=project:bulk");
        page.locator("[data-pick-all]").check();
        assertThat(page.locator(".pick")).containsText("50 selected");
        page.getByText("Select all matching").click();
        assertThat(page.locator(".pick")).containsText("all 53 selected");
        team.propose("Bulk 53", "bulk", "docs", "claude-3fa91c", null, "Text 53");

        page.locator(".pick").getByText("Withdraw").click();
        assertThat(page.locator("#withdraw-picked h2")).hasText("Withdraw all 54 reviews?");
        page.locator("#withdraw-picked input[name=reason]").fill("started over");
        page.getByText("Withdraw them").click();

        assertThat(page.locator(".toast").first()).containsText("54 done");
        assertThat(visitAs("mira", "/reviews?q=project:bulk").locator(".empty")).containsText("Nothing matches");
        assertThat(post(page, "/ui/matching/reviews?q=project:bulk", "verb=kill_reviewer"))
                .isEqualTo(404);
        assertThat(post(page, "/ui/matching/reviews?q=project:bulk", "verb=withdraw_review&after=x"))
                .isEqualTo(400);
    }

    @Test
    void what_no_page_has_shown_does_not_count_as_read() {
        String id = team.review(REFUND);
        caller.call("claim_review", "review_id", id, "reviewer_id", "mira");
        String first = "file=0&revision="
                + caller.call("get_review_status", "review_id", id).text("revision");
        Page page = visitAs("mira", "/reviews");
        assertThat(post(page, "/reviews/" + id + "/draft", "draft={}")).isEqualTo(200);

        assertThat(post(page, "/reviews/" + id + "/read", first)).isEqualTo(409);
        visitAs("mira", "/reviews/" + id);
        assertThat(post(page, "/reviews/" + id + "/read", first)).isEqualTo(409);
        String shown =
                page.locator("form:has([name=file][value='0']) [name=shown]").inputValue();
        assertThat(post(page, "/reviews/" + id + "/read", first + "&shown=" + shown))
                .isEqualTo(200);
    }

    @Test
    void the_filter_completes_every_field_with_counts_and_the_list_is_sorted() {
        Page page = visit("/reviews");
        for (String field : List.of("project:billing", "project:docs-site", "category:docs")) {
            assertThat(page.locator("#known-fields option[value='" + field + "']"))
                    .hasText(Pattern.compile("[0-9]+"));
        }
        for (String field : List.of("priority:normal", "agent:codex-2be7c5")) {
            assertThat(page.locator("#known-fields option[value='" + field + "']"))
                    .hasCount(1);
        }
        caller.call("start_session", "session_id", "s-known", "kind", "person", "name", "zoe-of-no-review");
        page.locator("[data-search]").fill("agent:zoe");
        assertThat(page.locator("#known-fields option[value='agent:zoe-of-no-review']"))
                .hasCount(1);
        String newest = team.propose("The very newest", "sorted", "docs", "claude-3fa91c", null, "d");
        assertThat(visit("/reviews?order=newest").locator("tbody tr").first()).hasAttribute("data-key", newest);
        assertThat(visit("/reviews?order=waiting").locator("tbody tr[data-key='" + newest + "']:first-child"))
                .hasCount(0);
    }

    private void suggestCounterPatch(String id) {
        suggestCounterPatch(id, "comment");
    }

    private void suggestCounterPatch(String id, String verdict) {
        BrokerClient.Reply claim = caller.call("claim_review", "review_id", id, "reviewer_id", "codex-91d4aa");
        caller.call(
                "submit_verdict",
                "review_id",
                id,
                "reviewer_id",
                "codex-91d4aa",
                "claim_generation",
                claim.generation(),
                "verdict",
                verdict,
                "reason",
                "Take this instead.",
                "counter_patch",
                Diffs.REFUND_1);
    }

    @Test
    void a_person_claims_the_next_review_rejects_a_counter_patch_and_closes_what_is_approved() {
        String id = team.review(REFUND);
        suggestCounterPatch(id);
        Page page = visitAs("mira", refund());
        page.locator("[data-region=counter-patch] button").last().click();
        assertThat(page.locator("[data-region=counter-patch]")).containsText("rejected");
        assertThat(page.locator("[data-region=timeline]")).containsText("mira rejected the counter-patch");

        String approved = team.propose("Approve it", "closing", "docs", "claude-3fa91c", null, "d");
        team.approve(approved, "codex-91d4aa");
        page.navigate(broker.url() + "/reviews/" + approved);
        page.getByText("Close it").click();
        assertThat(page.locator(".rv-meta .badge")).hasText("closed");
        assertThat(page.locator("[data-region=timeline]")).containsText("mira closed it");

        page.navigate(broker.url() + "/reviews");
        page.keyboard().press("c");
        assertThat(page.locator(".verdict h2")).hasText("Your verdict");
    }

    @Test
    void keys_select_rows_find_the_filter_jump_between_findings_and_go_to_pages() {
        Page page = visit("/reviews");
        page.keyboard().press("j");
        page.keyboard().press("x");
        assertThat(page.locator("[data-pick-bar] b").first()).containsText("1");
        page.keyboard().press("/");
        assertThat(page.locator("[data-search]")).isFocused();
        page.navigate(broker.url() + refund());
        page.keyboard().press("n");
        assertThat(page.evaluate("scrollY > 0")).isEqualTo(true);
        page.evaluate( // one right after the other, however slow the machine is
                "['g', 'w'].forEach(key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})))");
        assertThat(page.locator("h1")).hasText("Work");
    }

    @Test
    void keys_move_the_cursor_and_open_a_review() {
        Page page = visit("/reviews?order=urgent");

        page.keyboard().press("j");
        page.keyboard().press("j");
        assertThat(page.locator("tr.cur")).containsText("Use records for the price list");
        page.keyboard().press("Enter");

        assertThat(page.locator("h1")).hasText("Use records for the price list");
    }

    @Test
    void a_review_shows_its_files_by_risk_with_findings_below_their_lines() {
        Page page = visit(refund());

        assertThat(page.locator("h1")).hasText(REFUND);
        assertThat(page.locator(".files a .f"))
                .hasText(new String[] {"V31__refund_key.sql", "Refunds.java", "RefundsTest.java", "gradle.lockfile"});
        assertThat(page.locator(".file.folded")).hasCount(1);
        assertThat(page.locator("tr.hit + tr.thread").first()).containsText("CREATE INDEX CONCURRENTLY");
        assertThat(page.locator(".diff .add .w").first()).containsText("key,");
        assertThat(page.locator(".flist li")).hasCount(3);
        assertThat(page.locator(".fate").first()).hasAttribute("title", "round 1 open, round 2 open");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void what_changed_since_the_last_round_and_side_by_side_are_one_key_away() {
        Page page = visit(refund());

        page.keyboard().press("i");
        assertThat(page.locator(".inter-note")).containsText("Only what changed since round 1");
        page.waitForLoadState(); // until then no key is heard
        assertThat(page.locator("[data-region=diff]")).containsText("captures.lock");
        assertThat(page.locator("[data-region=diff]")).not().containsText("idempotency_key text");
        page.keyboard().press("s");
        assertThat(page.locator("table.diff.split").first()).isVisible();
        page.locator(".rounds a").first().click();
        assertThat(page.locator("[data-region=diff]")).not().containsText("captures.lock");
    }

    @Test
    void lines_that_the_diff_leaves_out_are_shown_from_the_repository_where_it_is_known() throws Exception {
        TestRepository ledger = TestRepository.in(workspace(kept).resolve("ledger"));
        ledger.write("Ledger.java", numbered("line ", 200));
        ledger.commitAll("one");
        String base = ledger.git("rev-parse", "HEAD").strip();
        ledger.write("Ledger.java", numbered("line ", 200).replace("line 100\n", "line one hundred\n"));
        String diff = ledger.git("diff");
        String known = team.propose("Count in words", "ledger", diff, base);
        String unknown = team.propose(
                "Count in words again", "elsewhere", "code_change", "claude-3fa91c", diff, null); // of no commit

        assertThat(visit("/reviews/" + unknown).locator(".hunk button")).hasCount(0);
        Page page = visit("/reviews/" + known);
        Locator lines = page.locator("tr.ctx .c");
        assertThat(lines).hasCount(6);
        page.getByLabel("Show 20 more lines above").click();
        assertThat(lines).hasCount(26);
        assertThat(lines.first()).hasText("line 77");
        page.getByText("all 76 lines").click();
        assertThat(lines).hasCount(102);
        assertThat(lines.first()).hasText("line 1");
        page.getByLabel("Show 20 more lines below").click();
        assertThat(lines).hasCount(122);
        assertThat(lines.last()).hasText("line 123");
        caller.call("claim_review", "review_id", known, "reviewer_id", "codex-91d4aa");
        assertThat(page.locator("[data-region=verdict]")).containsText("codex-91d4aa holds it");
        assertThat(lines).hasCount(122); // what is opened stays open
        Page split = visit("/reviews/" + known + "?view=split");
        split.getByLabel("Show 20 more lines below").click();
        assertThat(split.locator("tr.more")).hasCount(20);
        Files.move(ledger.folder().resolve(".git"), ledger.folder().resolve("gone"));
        split.getByLabel("Show 20 more lines above").click();
        assertThat(split.locator("tr.hunk [role=status]")).containsText("No more lines to show");
    }

    private static String numbered(String word, int lines) {
        return IntStream.rangeClosed(1, lines)
                .mapToObj(number -> word + number + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void approval_is_locked_until_all_is_read_and_no_finding_blocks_and_says_why() {
        Page page = claimed();
        Locator approve = page.locator("button[value=approved]");
        assertThat(approve).hasAttribute("aria-disabled", "true");
        approve.dispatchEvent("click");
        assertThat(page.locator(".toast")).containsText("must be resolved or waived");

        readAll(page);
        assertThat(page.locator(".stops")).containsText("You have read all of round 2");
        Locator all = page.locator("[data-region=receipts] svg.pie.full");
        assertThat(all).hasAttribute("aria-label", "All of it shown");
        assertThat(all.locator("title")).hasText("All of it shown");
        page.locator("#f1 [data-waive-reason]").fill("answered by mail");
        page.locator("#f1 [data-settle-as=waived]").click();
        Locator blockers = page.locator(".stops a:has-text('must be resolved or waived first')");
        Locator tally = page.locator("[data-region=findings] .n");
        assertThat(blockers).hasText("f2 must be resolved or waived first");
        assertThat(blockers).hasAttribute("href", Pattern.compile("#f2$"));
        assertThat(tally).hasText("1 blocking, 1 other open");
        page.locator("#f2 [data-waive-reason]").fill("comes in V32");
        page.locator("#f2 [data-settle-as=waived]").click();
        assertThat(page.locator("[data-pending] li")).hasCount(2);
        assertThat(blockers).not().isVisible();
        assertThat(tally).hasText("0 blocking, 1 other open");
        page.locator("[data-pending] li:has-text('f1') button").click();
        assertThat(blockers).hasText("f1 must be resolved or waived first");
        page.locator("#f1 [data-waive-reason]").fill("answered by mail");
        page.locator("#f1 [data-settle-as=waived]").click();

        assertThat(approve).not().hasAttribute("aria-disabled", "true");
        approve.click();
        assertThat(page.locator(".rv-meta .badge")).hasText("approved");
        assertThat(caller.call("get_review_status", "review_id", team.review(REFUND))
                        .text("status"))
                .isEqualTo("approved");
    }

    @Test
    void what_is_read_counts_whatever_round_it_is_compared_with() {
        Page page = claimed();
        page.navigate(page.url() + "?against=1");
        assertThat(page.locator(".stops")).containsText("not marked as read yet");
        page.locator(".stops a", new Page.LocatorOptions().setHasText("not marked as read yet"))
                .click();
        assertThat(page).not().hasURL(Pattern.compile("against="));

        readAll(page);
        assertThat(page.locator(".stops")).containsText("You have read all of round 2");
        page.navigate(page.url().replaceAll("[?#].*", "") + "?against=1");

        assertThat(page.locator(".stops")).containsText("You have read all of round 2");
        assertThat(page.locator(".files")).containsText("1 of 1 read");
    }

    @Test
    void a_comment_on_a_line_becomes_a_finding_of_the_verdict_and_its_draft_survives_a_reload() {
        Page page = claimed();
        page.locator("[data-path$='Refunds.java'] [data-line='48']").first().click();
        page.locator(".composer textarea").fill("What if there is no capture?");
        page.locator(".composer select").selectOption("must_fix");
        page.locator(".composer [data-add]").click();
        page.locator("[data-draft-reason]").fill("One more thing.");
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");

        page.reload();
        assertThat(page.locator("[data-draft-reason]")).hasValue("One more thing.");
        assertThat(page.locator("[data-pending] li")).containsText("What if there is no capture?");
        page.locator("button[value=changes_requested]").click();

        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");
        assertThat(page.locator(".flist")).containsText("What if there is no capture?");
        assertThat(page.locator("[data-region=timeline]")).containsText("One more thing.");
    }

    @Test
    void a_comment_alone_is_reason_enough_to_ask_for_changes() {
        Page page = claimed();
        page.locator("[data-path$='Refunds.java'] [data-line='48']").first().click();
        page.locator(".composer textarea").fill("What if there is no capture?");
        page.locator(".composer [data-add]").click();
        page.locator("button[value=changes_requested]").click();

        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");
        assertThat(page.locator("[data-region=timeline]"))
                .containsText("Refunds.java:48: What if there is no capture?");
    }

    @Test
    void an_action_without_a_name_asks_for_it_and_then_goes_on_by_itself() {
        Page page = visit(refund());
        page.getByText("Claim it").click();
        assertThat(page.locator("#person")).isVisible();
        assertThat(page.locator(".toast.bad")).hasCount(0);

        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();

        assertThat(page.locator(".verdict h2")).hasText("Your verdict");
        assertThat(page.locator(".who-am")).containsText("mira");
        assertThat(page.locator("#person")).isHidden();
    }

    @Test
    void what_is_done_to_several_goes_on_once_a_name_is_given() {
        for (int i = 0; i < 3; i++) {
            team.propose("Nameless " + i, "nameless", "docs", "claude-3fa91c", null, "d");
        }
        Page page = visit("/reviews?q=project:nameless");
        page.locator("[data-pick-all]").check();
        page.locator(".pick").getByText("Withdraw").click();
        page.locator("#withdraw-picked input[name=reason]").fill("not needed");
        page.getByText("Withdraw them").click();
        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();

        assertThat(page.locator(".toast.good")).containsText("3 done");
        assertThat(page.locator(".toast.bad")).hasCount(0);
        assertThat(page.locator(".empty")).containsText("Nothing matches");
    }

    @Test
    void whoever_gives_no_name_has_done_nothing_and_what_was_typed_is_kept() {
        caller.call("claim_review", "review_id", team.review(REFUND), "reviewer_id", "codex-91d4aa");
        Page page = visit(refund());
        page.locator("[data-region=message] textarea").fill("Why so?");
        page.locator("[data-region=message] button").click();
        page.locator("#person [data-close]").click();
        assertThat(page.locator("#person")).isHidden();

        page.locator("[data-open=person]").click();
        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();
        assertThat(page.locator(".who-am")).containsText("mira");
        assertThat(page.locator("[data-region=timeline]")).not().containsText("Why so?");

        page.context().clearCookies(new BrowserContext.ClearCookiesOptions().setName("holdfast_person"));
        page.reload();
        page.locator("[data-region=message] textarea").fill("Why so?");
        page.locator("[data-region=message] button").click();
        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();
        assertThat(page.locator("[data-region=timeline] .say:has-text('Why so?')"))
                .hasCount(1);
        assertThat(page.locator("[data-region=timeline]")).containsText("mira wrote as the reviewer");
    }

    @Test
    void a_finding_stands_only_below_the_line_that_it_was_made_about() {
        Page page = visit(refund());
        Locator changed = page.locator("[data-path$='Refunds.java'] .of-file #f3");
        assertThat(changed).containsText("About line 47 of round 1");
        assertThat(changed.locator(".about code")).hasText("Capture capture = captures.find(tx, captureId);");
        assertThat(page.locator("tr.thread #f3")).hasCount(0);
        assertThat(page.locator("tr:has-text('Gives money back, once per key') + tr.thread #f1"))
                .hasCount(1);

        page = visit(refund() + "?against=1");
        assertThat(page.locator("tr.del:has-text('captures.find') + tr.thread #f3"))
                .hasCount(1);
        page = visit(refund() + "?against=1&view=split");
        assertThat(page.locator("tr:has-text('captures.find') + tr.thread #f3")).hasCount(1);
        page = visit(refund() + "?round=1");
        assertThat(page.locator("tr:has-text('captures.find') + tr.thread #f3")).hasCount(1);
    }

    @Test
    void a_finding_of_a_file_that_is_not_shown_leads_to_the_round_that_it_was_raised_in() {
        Page page = visit(refund() + "?against=1");
        assertThat(page.locator("#f2")).hasCount(0);
        page.locator(".flist a:has-text('CREATE INDEX')").click();

        assertThat(page).hasURL(Pattern.compile("round=1#f2$"));
        assertThat(page.locator("tr:has-text('CONCURRENTLY') + tr.thread #f2")).hasCount(1);
    }

    @Test
    void whoever_writes_is_asked_for_which_side_only_where_that_is_unclear() {
        String id = team.propose("Ask the right one", "sides", "docs", "nora", null, "d");
        caller.call("claim_review", "review_id", id, "reviewer_id", "jonas");
        String sender = "[data-region=message] [name=sender_role]";

        Page page = visitAs("nora", "/reviews/" + id);
        assertThat(page.locator(sender)).hasValue("proposer");
        assertThat(page.locator("[data-region=message] select")).hasCount(0);
        page = visitAs("jonas", "/reviews/" + id);
        assertThat(page.locator(sender)).hasValue("reviewer");
        assertThat(page.locator("[data-region=message] select")).hasCount(0);
        page = visitAs("mira", "/reviews/" + id);
        assertThat(page.locator("[data-region=message] select")).hasValue("reviewer");
    }

    @Test
    void a_round_that_comes_during_a_review_says_who_lost_the_claim_to_it() {
        Page page = claimed();
        page.locator("[data-path$='Refunds.java'] [data-line='48']").first().click();
        page.locator(".composer textarea").fill("What if there is no capture?");
        page.locator(".composer [data-add]").click();
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");
        next(Diffs.REFUND_1);

        assertThat(page.locator(".verdict"))
                .containsText("You lost your claim: claude-3fa91c submitted round 3 while you were reviewing");
        assertThat(page.locator("[data-region=timeline]"))
                .containsText("claude-3fa91c submitted round 3; mira lost the claim to it");
        page.locator("[data-press=C]").click();
        assertThat(page.locator(".verdict")).not().containsText("You lost your claim");
        assertThat(page.locator("[data-path$='Refunds.java'] .of-file .draft"))
                .containsText("its line has changed"); // another line has its number now
    }

    private void next(String diff) {
        BrokerClient.Reply next = caller.call(
                "create_review",
                "review_id",
                team.review(REFUND),
                "intent",
                REFUND,
                "agent_type",
                "claude-3fa91c",
                "holder",
                "claude-3fa91c",
                "diff",
                diff,
                "skip_diff_validation",
                true);
        assertThat(next.status()).as("%s", next.body()).isEqualTo(200);
    }

    @Test
    void a_draft_stands_at_its_line_also_after_a_reload_and_can_be_edited_and_removed() {
        Page page = claimed();
        page.locator("[data-path$='Refunds.java'] [data-line='48']").first().click();
        page.locator(".composer textarea").fill("What if there is no capture?");
        page.locator(".composer [data-add]").click();
        Locator draft = page.locator("tr:has([data-line='48']) + tr.thread .finding.draft");
        assertThat(draft).containsText("Draft");
        assertThat(draft).containsText("What if there is no capture?");
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");

        page.reload();
        assertThat(draft).containsText("should fix");
        draft.getByText("Edit").click();
        page.locator(".composer textarea").fill("What if the capture is gone?");
        page.locator(".composer select").selectOption("must_fix");
        page.locator(".composer [data-add]").click();
        assertThat(draft).containsText("What if the capture is gone?");
        assertThat(draft).containsText("must fix");
        assertThat(page.locator("[data-pending] li")).hasCount(1);

        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");
        page.keyboard().press("s");
        assertThat(page.locator("table.split td.blank:first-child + td .finding.draft"))
                .containsText("What if the capture is gone?"); // on the side of its line
        page.navigate(broker.url() + refund());
        draft.getByText("Remove").click();
        assertThat(page.locator(".finding.draft")).hasCount(0);
        assertThat(page.locator("[data-pending] li")).hasCount(0);
    }

    @Test
    void a_finding_is_answered_where_it_stands_and_resolved_only_by_whoever_raised_it() {
        caller.call("claim_review", "review_id", team.review(REFUND), "reviewer_id", "codex-2be7c5");
        Page page = visitAs("mira", refund());
        assertThat(page.locator("#f2 [data-settle-as]")).hasCount(0);
        page.locator("#f2 [data-open=answer]").click();
        assertThat(page.locator("#answer")).containsText("CREATE INDEX CONCURRENTLY cannot run");
        page.locator("#answer textarea").fill("It comes in V32.");
        page.locator("#answer select").selectOption("proposer");
        page.locator("#answer button[type=submit]").click();
        assertThat(page.locator("#f2 .reply")).containsText("It comes in V32.");
        assertThat(page.locator("[data-region=timeline]")).containsText("mira answered f2 as the proposer");

        page = visitAs("codex-2be7c5", refund());
        page.locator("#f2 [data-open=answer]").click();
        page.locator("#answer textarea").fill("Then I wait for it.");
        page.locator("#answer button[type=submit]").click();
        assertThat(page.locator("#f2 .reply")).hasCount(2);
        assertThat(page.locator("#f2 [data-settle-as=resolved]")).hasCount(1); // its own
        page.locator("#f2 [data-settle-as=resolved]").click();
        assertThat(page.locator("[data-pending]")).containsText("f2 is resolved");
        caller.call(
                "release_review",
                "review_id",
                team.review(REFUND),
                "reviewer_id",
                "codex-2be7c5",
                "claim_generation",
                caller.call("get_review_status", "review_id", team.review(REFUND))
                        .body()
                        .path("claim_generation")
                        .asLong());
        Page other = claimed();
        assertThat(other.locator("#f2 [data-settle-as=resolved]")).hasCount(0);
        assertThat(other.locator("#f2 [data-settle-as=waived]")).hasCount(1);
    }

    @Test
    void on_a_phone_links_lead_from_the_decision_to_the_diff_and_one_line_says_what_blocks() {
        Page page = claimed();
        page.setViewportSize(Browser.Size.PHONE.width, Browser.Size.PHONE.height);
        try {
            assertThat(page.locator(".dock")).containsText("f1, f2 must be resolved or waived first");
            for (int time = 1; time <= 2; time++) { // also to the same place again
                page.locator(".dock [data-pane-to=rail]").click();
                assertThat(page.locator("#f1")).isHidden();
                page.locator(".flist a").first().click();
                assertThat(page.locator("#f1 .msg")).isInViewport();
            }
            page.locator("#f1 [data-waive-reason]").fill("answered by mail");
            page.locator("#f1 [data-settle-as=waived]").click();
            assertThat(page.locator(".dock")).containsText("f2 must be resolved or waived first");
            assertThat(page.locator(".dock")).not().containsText("f1");
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    @Test
    void on_a_phone_a_finding_says_in_full_who_raised_it() {
        Page page = claimed();
        page.setViewportSize(Browser.Size.PHONE.width, Browser.Size.PHONE.height);
        try {
            for (int width : List.of(Browser.Size.PHONE.width, 320)) {
                page.setViewportSize(width, Browser.Size.PHONE.height);
                assertThat(page.locator(".diffs .finding .by").first()).isVisible();
                assertThat(
                                page.evaluate(
                                        "[...document.querySelectorAll('.finding .by')].filter(by => by.scrollWidth > by.clientWidth).map(by => by.textContent).join()"))
                        .as("cut at " + width)
                        .isEqualTo("");
            }
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    @Test
    void on_a_phone_the_list_says_whose_turn_it_is_and_panels_begin_where_their_heads_do() {
        claimed();
        Page page = visit("/reviews?order=newest");
        page.setViewportSize(Browser.Size.PHONE.width, Browser.Size.PHONE.height);
        try {
            assertThat(page.locator("tbody tr:has-text('" + REFUND + "') .turn:has-text('mira')")
                            .first())
                    .isVisible();
            assertThat(page.locator("tbody tr").getByText("anyone").first()).isHidden();
            page.navigate(broker.url());
            assertThat(
                            page.evaluate(
                                    "document.querySelector('[data-region=needs] h2').getBoundingClientRect().left - document.querySelector('.needs .k').getBoundingClientRect().left"))
                    .isEqualTo(0);
        } finally {
            page.setViewportSize(Browser.Size.DESKTOP.width, Browser.Size.DESKTOP.height);
        }
    }

    @Test
    void every_generation_says_what_it_is() {
        Page page = claimed();
        readAll(page);
        assertThat(page.locator("[data-region=receipts] .gen")).hasCount(1);
        assertThat(page.locator("[data-region=timeline] .gen").first()).isVisible();
        assertThat(page.locator(".verdict .gen")).hasCount(1);

        assertThat(page.locator(".gen:not([title*='only the holder of the latest one'])"))
                .hasCount(0);
    }

    @Test
    void new_rows_of_a_list_that_is_scrolled_wait_until_they_are_asked_for() {
        for (int i = 0; i < 40; i++) {
            team.propose("Row " + i + ".", "scrolled", "docs", "claude-3fa91c", null, "d");
        }
        Page page = visit("/reviews?order=newest&q=project:scrolled");
        Locator rows = page.locator("[data-region=list] tbody tr");
        assertThat(rows).hasCount(40);
        page.evaluate("scrollTo(0, 600)");
        Object before = page.evaluate("document.querySelectorAll('tbody tr')[20].getBoundingClientRect().top");

        String changed = team.review("Row 20.");
        team.propose("Row 40.", "scrolled", "docs", "claude-3fa91c", null, "d");
        team.propose("Row 41.", "scrolled", "docs", "claude-3fa91c", null, "d");
        caller.call("claim_review", "review_id", changed, "reviewer_id", "codex-91d4aa");

        assertThat(page.locator("#arrivals button")).hasText("2 new");
        assertThat(page.locator("tr[data-key='" + changed + "'] .lease")).hasCount(1); // what changes in its place does
        assertThat(rows).hasCount(40);
        assertThat(page.evaluate("document.querySelectorAll('tbody tr')[20].getBoundingClientRect().top"))
                .isEqualTo(before);
        page.locator("#arrivals button").click();
        assertThat(rows).hasCount(42);
        assertThat(page.locator("tbody tr:has-text('Row 41.')")).isInViewport();
        assertThat(page.locator("#arrivals button")).hasCount(0);

        page.evaluate("scrollTo(0, 600)");
        team.propose("Row 42.", "scrolled", "docs", "claude-3fa91c", null, "d");
        assertThat(page.locator("#arrivals button")).hasText("1 new");
        page.evaluate("scrollTo(0, 0)");
        assertThat(rows).hasCount(43);
        assertThat(browser.complaints()).isEmpty();
    }

    private static void begin(Page page, String comment) {
        page.locator("[data-path$='Refunds.java'] [data-line='48']").first().click();
        page.locator(".composer textarea").fill(comment);
    }

    @Test
    void a_comment_that_was_not_added_comes_back_as_a_draft() {
        Page page = claimed();
        begin(page, "What if there is");
        page.reload(); // at once, before it was saved

        Locator draft = page.locator("tr:has([data-line='48']) + tr.thread .finding.draft");
        assertThat(draft).containsText("What if there is");
        draft.getByText("Edit").click();
        page.locator(".composer textarea").fill("What if there is none?");
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");
        page.navigate(broker.url() + "/reviews");
        page.navigate(broker.url() + refund());
        assertThat(draft).containsText("What if there is none?");
        assertThat(page.locator(".finding.draft")).hasCount(1);

        draft.getByText("Edit").click();
        page.locator(".composer textarea").press("Escape");
        assertThat(page.locator(".composer")).hasCount(0);
        begin(page, "Not this");
        page.locator(".composer textarea").press("Escape");
        assertThat(page.locator(".composer textarea")).hasValue("Not this");
        page.locator(".composer [data-cancel]").click();
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");
        page.reload();
        assertThat(page.locator(".finding.draft")).hasCount(1);
    }

    @Test
    void a_verdict_is_not_sent_without_the_comment_that_was_begun() {
        Page page = claimed();
        begin(page, "What if there is no capture?");
        page.locator("[data-draft-reason]").fill("One more thing.");
        page.locator("button[value=changes_requested]").click();
        assertThat(page.locator(".toast.bad")).containsText("The comment on Refunds.java:48 is not added");
        assertThat(page.locator(".composer textarea")).isFocused();
        assertThat(page.locator(".verdict h2")).hasText("Your verdict");

        page.locator(".composer [data-add]").click();
        page.locator("button[value=changes_requested]").click();
        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");
        assertThat(page.locator(".flist")).containsText("What if there is no capture?");
    }

    @Test
    void ctrl_and_enter_without_a_verdict_say_which_there_are() {
        Page page = claimed();
        page.locator("[data-draft-reason]").fill("One more thing.");
        page.locator("[data-draft-reason]").press("Control+Enter");

        assertThat(page.locator(".toast.bad"))
                .containsText("Choose a verdict: Request changes, Approve or Comment only.");
        assertThat(page.locator("button[value=changes_requested]")).isFocused();
        page.keyboard().press("Enter");
        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");
    }

    @Test
    void keys_reach_short_files_at_the_end_of_the_page() {
        StringBuilder short0 = new StringBuilder();
        for (String name : List.of("a.txt", "b.txt", "c.txt", "d.txt")) {
            short0.append(Diffs.small(name, 1, 1));
        }
        String id = team.propose("Four short files", "short", "code_change", "claude-3fa91c", short0.toString(), null);
        caller.call("claim_review", "review_id", id, "reviewer_id", "mira");
        Page page = visitAs("mira", "/reviews/" + id);
        for (int i = 0; i < 6; i++) {
            page.keyboard().press("]");
        }
        assertThat(page.locator(".file.here")).hasAttribute("data-path", "d.txt");
        page.keyboard().press("v");
        assertThat(page.locator("[data-path='d.txt'] [data-read]")).isDisabled();
        assertThat(page.locator(".file.here")).hasAttribute("data-path", "d.txt");

        page.keyboard().press("[");
        page.keyboard().press("v");
        assertThat(page.locator("[data-path='c.txt'] [data-read]")).isDisabled();
        assertThat(page.locator("[data-read]:disabled")).hasCount(2);
        for (int i = 0; i < 6; i++) {
            page.keyboard().press("[");
        }
        assertThat(page.locator(".file.here")).hasAttribute("data-path", "a.txt");
    }

    @Test
    void the_verdict_stays_in_view_while_a_long_diff_is_read() {
        String id = team.propose(
                "A long change", "long", "code_change", "claude-3fa91c", Diffs.small("long.txt", 300, 1), null);
        caller.call("claim_review", "review_id", id, "reviewer_id", "mira");
        Page page = visitAs("mira", "/reviews/" + id);
        page.evaluate("scrollTo(0, 2000)");

        assertThat(page.locator("button[value=changes_requested]")).isInViewport();
        assertThat(page.locator("[data-region=findings] h2")).isInViewport();
    }

    @Test
    void an_accepted_counter_patch_says_what_it_is_now_and_waits_for_a_verdict() {
        String id = team.review(REFUND);
        suggestCounterPatch(id, "changes_requested");
        Page page = visitAs("mira", refund());
        page.locator("[data-region=counter-patch] button").first().click();

        assertThat(page.locator(".toast.good")).containsText("the counter-patch is up for review now");
        assertThat(page.locator("[data-region=counter-patch]"))
                .containsText("It is now what round 2 proposes. It needs its own verdict.");
        assertThat(page.locator(".rv-meta .badge")).hasText("pending");
        assertThat(page.locator("[data-region=timeline]"))
                .containsText("mira put it back in the queue: the counter-patch needs a verdict");
        page.getByText("Claim it").click();
        assertThat(page.locator(".verdict h2")).hasText("Your verdict");
    }

    @Test
    void the_timeline_tells_how_a_review_came_back_into_the_queue() {
        String id = team.review(REFUND);
        suggestCounterPatch(id, "changes_requested");
        caller.call("add_message", "review_id", id, "sender_role", "proposer", "body", "It is meant so.");
        caller.call("claim_review", "review_id", id, "reviewer_id", "codex-2be7c5");
        Page page = visitAs("mira", refund());
        assertThat(page.locator("[data-region=timeline]"))
                .containsText("the proposer put it back in the queue: answered without a new round");
        assertThat(page.locator("[data-region=timeline]")).not().containsText("took it from");

        page.locator(".verdict [data-open=take-back]").click();
        page.locator("#take-back [name=reason]").fill("It sleeps");
        page.locator("#take-back button[type=submit]").click();
        assertThat(page.locator("[data-region=timeline]")).containsText("mira took it from codex-2be7c5");
        assertThat(page.locator("[data-region=timeline]")).containsText("It sleeps");
    }

    @Test
    void a_comment_on_a_range_of_lines_names_them() {
        Page page = claimed();
        Locator lines = page.locator("[data-path$='Refunds.java']");
        lines.locator("[data-line='46']").first().click();
        page.locator(".composer textarea").fill("Lock it before");
        lines.locator("[data-line='48']")
                .first()
                .click(new Locator.ClickOptions().setModifiers(List.of(KeyboardModifier.SHIFT)));

        assertThat(page.locator(".composer")).hasCount(1);
        assertThat(page.locator(".composer [data-where]")).hasText("Refunds.java:46-48");
        assertThat(page.locator("tr.chosen")).hasCount(3);
        assertThat(page.locator(".composer textarea")).hasValue("Lock it before");
        page.locator(".composer [data-add]").click();
        page.locator("[data-draft-reason]").fill("See the lines.");
        page.locator("button[value=changes_requested]").click();
        assertThat(page.locator(".flist li:has-text('Lock it before') code")).hasText("Refunds.java:46-48");
        assertThat(page.locator("tr:has([data-line='48']) + tr.thread .finding"))
                .containsText("Lock it before");
        assertThat(page.locator("[data-path$='Refunds.java'] tr.hit.soft")).hasCount(3); // each of its lines is marked
        next(Diffs.REFUND_1);
        assertThat(page.locator("[data-path$='Refunds.java'] .of-file"))
                .containsText("About lines 46 to 48 of round 2");
    }

    @Test
    void a_draft_on_a_range_of_lines_keeps_it_over_a_reload() {
        Page page = claimed();
        Locator lines = page.locator("[data-path$='Refunds.java']");
        lines.locator("[data-line='46']").first().click();
        lines.locator("[data-line='48']")
                .first()
                .click(new Locator.ClickOptions().setModifiers(List.of(KeyboardModifier.SHIFT)));
        page.locator(".composer textarea").fill("Lock it before");
        page.reload();

        assertThat(page.locator(".finding.draft")).containsText("Refunds.java:46-48");
        page.locator(".finding.draft").getByText("Edit").click();
        page.locator(".composer [data-add]").click();
        page.locator("button[value=changes_requested]").click();
        assertThat(page.locator(".flist li:has-text('Lock it before') code")).hasText("Refunds.java:46-48");
    }

    @Test
    void an_approval_settles_findings_that_did_not_block_it() {
        String id = team.propose("Count refunds", "counting", "code_change", "claude-3fa91c", Diffs.REFUND_1, null);
        for (String message : List.of("Name it remaining", "Say why")) {
            team.judge(
                    id,
                    "codex-2be7c5",
                    "changes_requested",
                    "reason",
                    "see findings",
                    "findings",
                    List.of(Map.of(
                            "path",
                            "src/main/java/shop/billing/Refunds.java",
                            "line",
                            message.startsWith("Name") ? 48 : 44,
                            "severity",
                            "should_fix",
                            "message",
                            message)));
            team.revise(id, "Count refunds", "counting", Diffs.REFUND_2);
        }
        Page page = visit("/reviews/" + id);
        assertThat(page.locator(".flist li:has-text('Name it remaining')")).containsText("lines changed");
        assertThat(page.locator(".flist li:has-text('Say why') .fate title, .flist li:has-text('Say why') .fate"))
                .hasAttribute("title", Pattern.compile("round 2 open, round 3 open"));
        assertThat(page.locator(".tag").first()).hasText("code change");

        team.approve(id, "codex-2be7c5");
        assertThat(page.locator(".flist li:has-text('Name it remaining')"))
                .containsText("Its lines changed in round 2, and codex-2be7c5 approved them");
        assertThat(page.locator(".flist li:has-text('Say why')"))
                .containsText("codex-2be7c5 approved without a change here");
        assertThat(page.locator("[data-region=findings] .n")).hasText("none open");
        assertThat(page.locator(".verdict")).containsText("codex-2be7c5 approved round 3");
    }

    @Test
    void what_blocks_is_told_while_somebody_types_the_reason() {
        Page page = claimed();
        page.locator("[data-draft-reason]").fill("Half a thou");
        page.keyboard().press("ArrowLeft");
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");

        Locator unread = page.locator(".stops li").nth(1);
        String before = unread.textContent();
        page.locator("[data-read]:not(:disabled)").first().dispatchEvent("click");

        assertThat(unread).not().hasText(before);
        page.keyboard().type("XY");
        assertThat(page.locator("[data-draft-reason]")).hasValue("Half a thoXYu");
        assertThat(page.locator(".newer")).hasCount(0);
    }

    @Test
    void a_finding_has_a_dot_for_each_round_however_many_there_are() {
        for (int round = 3; round <= 6; round++) {
            next(round % 2 == 1 ? Diffs.REFUND_1 : Diffs.REFUND_2);
        }
        Page page = visit(refund());
        Locator fate = page.locator(".flist li:has-text('Two refunds at once') .fate");
        assertThat(fate)
                .hasAttribute(
                        "title",
                        "round 1 open, round 2 lines changed, round 3 open, round 4 lines changed, round 5 open, round 6 lines changed");
        assertThat(fate.locator("circle.outdated")).hasCount(3);
        assertThat(
                        page.evaluate(
                                "[...document.querySelectorAll('.flist .fate circle')].every(dot => dot.getBoundingClientRect().width >= 7)"))
                .isEqualTo(true);
    }

    @Test
    void a_comment_on_a_whole_file_survives_a_reload_and_stands_above_its_lines() {
        Page page = claimed();
        page.locator("[data-path$='gradle.lockfile'] [data-comment-file]").click();
        assertThat(page.locator(".of-file [data-where]")).hasText("gradle.lockfile, the whole file");
        page.locator(".of-file textarea").fill("Why is it locked by hand?");
        page.locator(".of-file [data-add]").click();
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");

        page.reload();
        assertThat(page.locator("[data-pending] li")).containsText("gradle.lockfile should fix: Why is it locked");
        page.locator("[data-draft-reason]").fill("One question.");
        page.locator("button[value=changes_requested]").click();

        assertThat(page.locator("[data-path$='gradle.lockfile'] .of-file")).containsText("Why is it locked by hand?");
        assertThat(page.locator(".flist")).containsText("gradle.lockfile");
    }

    @Test
    void two_browsers_race_for_one_review_and_the_loser_is_told_who_has_it() {
        browser.window("mira").route("**/ui/live?*", Route::abort); // neither page hears of the other's claim
        browser.window("jonas").route("**/ui/live?*", Route::abort);
        List<Page> both = List.of(visitAs("mira", refund()), visitAs("jonas", refund()));

        both.forEach(page -> page.evaluate("document.querySelector('[data-press=C]').click()"));

        for (Page page : both) {
            assertThat(page.locator("[data-region=verdict] h2:text('Your verdict'), .toast.bad"))
                    .hasCount(1);
        }
        String winner = caller.call("get_review_status", "review_id", team.review(REFUND))
                .text("claimed_by");
        assertThat(winner).isIn("mira", "jonas");
        Page loser = both.get(winner.equals("mira") ? 1 : 0);
        assertThat(loser.locator(".toast.bad")).containsText(winner);
        assertThat(loser.locator("[data-region=verdict]")).containsText(winner + " holds it");
        both.getFirst().unroute("**/ui/live?*");
    }

    @Test
    void a_displaced_reviewer_is_refused_and_keeps_what_was_typed() {
        Page page = claimed();
        page.locator("[data-draft-reason]").fill("Long thoughts.");
        caller.call("withdraw_review", "review_id", team.review(REFUND), "reason", "no longer needed");

        page.locator("button[value=changes_requested]").click();

        assertThat(page.locator(".toast.bad")).isVisible();
        assertThat(page.locator("[data-draft-reason]")).hasValue("Long thoughts.");
    }

    @Test
    void a_counter_patch_is_shown_and_accepted_and_a_message_is_sent() {
        String id = team.review(REFUND);
        Page page = visitAs("mira", refund()); // it is looked at already when the patch comes
        suggestCounterPatch(id);
        assertThat(page.locator("[data-region=counter-patch]")).containsText("codex-91d4aa, pending");

        page.locator("[data-region=message] textarea").fill("Thank you, taken.");
        page.locator("[data-region=message] select").selectOption("proposer");
        page.locator("[data-region=message] button").click();
        assertThat(page.locator("[data-region=timeline]")).containsText("Thank you, taken.");
        assertThat(page.locator("[data-region=timeline]")).containsText("mira wrote as the proposer");
        page.locator("[data-region=counter-patch] button").first().click();

        assertThat(page.locator("[data-region=counter-patch]")).containsText("accepted");
        assertThat(page.locator("[data-region=timeline]")).containsText("mira accepted the counter-patch");
    }

    @Test
    void what_was_claimed_on_the_page_is_released_on_it_with_a_note() {
        Page page = visitAs("mira", refund());
        page.locator("[data-region=verdict] button[data-press=C]").click();
        page.locator("[data-open=release-review]").click();
        page.locator("#release-review input[name=note]").fill("read as far as the migration");
        page.locator("#release-review button[type=submit]").click();

        assertThat(page.locator("[data-region=timeline]")).containsText("mira released it");
        assertThat(page.locator("[data-region=verdict] button[data-press=C]")).isVisible();
    }

    @Test
    void a_claim_a_message_and_a_verdict_that_are_sent_twice_happen_once() {
        String id = team.review(REFUND);
        Page page = visitAs("mira", refund());
        page.getByText("Claim it").dblclick();
        assertThat(page.locator(".verdict h2")).hasText("Your verdict");
        page.locator("[data-region=message] textarea").fill("Only once.");
        PageContract.sendTwice(page, "[data-region=message] form");
        assertThat(page.locator("[data-region=timeline] .say:has-text('Only once.')"))
                .hasCount(1);
        page.locator("[data-draft-reason]").fill("One reason.");
        page.locator("button[value=changes_requested]").dblclick();
        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");

        assertThat(page.locator(".toast.bad")).hasCount(0);
        assertThat(caller.call("get_discussion", "review_id", id).body().toString())
                .containsOnlyOnce("Only once.");
        assertThat(visitAs("mira", refund()).locator("[data-region=timeline] .say:has-text('One reason.')"))
                .hasCount(1);
    }

    @Test
    void the_first_line_of_an_intent_is_its_title_and_the_rest_is_kept_line_by_line() {
        String id = team.propose("Count items\nin two\nplaces", "lines", "docs", "claude-3fa91c", null, "d");

        Page page = visit("/reviews/" + id);
        assertThat(page.locator("h1")).hasText("Count items …");
        assertThat(page.locator(".rv-desc").first()).containsText("in two places");
        assertThat(page.evaluate("getComputedStyle(document.querySelector('.rv-desc')).whiteSpaceCollapse"))
                .isEqualTo("preserve-breaks");
    }

    @Test
    void withdrawing_asks_for_a_reason_and_ends_the_review() {
        Page page = visitAs("mira", refund());
        page.locator("[data-open=withdraw-review]").click();
        page.locator("#withdraw-review input[name=reason]").fill("superseded");
        page.locator("#withdraw-review button[type=submit]").click();

        assertThat(page.locator(".rv-meta .badge")).hasText("withdrawn");
        assertThat(page.locator("[data-region=timeline]")).containsText("withdrew it");
    }

    @Test
    void a_review_whose_reviewer_is_stuck_is_released_with_a_reason() {
        String id = team.review(REFUND);
        caller.call("claim_review", "review_id", id, "reviewer_id", "codex-91d4aa");
        Page page = visitAs("mira", refund());

        page.getByText("Release…").click();
        assertThat(page.locator("#take-back")).containsText("codex-91d4aa");
        page.locator("#take-back textarea").fill("its machine is off");
        page.locator("#take-back button[type=submit]").click();

        assertThat(page.getByText("Claim it")).isVisible();
        assertThat(page.locator("[data-region=timeline]")).containsText("its machine is off");
        assertThat(caller.call("get_review_status", "review_id", id).text("status"))
                .isEqualTo("pending");
    }

    @Test
    void hostile_diffs_names_and_messages_are_shown_harmlessly() {
        String evil = "<script>alert(1)</script>\u202e\u001b[31mred";
        String id = team.propose(
                "Intent " + evil,
                "evil",
                "code_change",
                "claude-3fa91c",
                "diff --git a/<b>x.java b/<b>x.java\n--- a/<b>x.java\n+++ b/<b>x.java\n@@ -1,1 +1,2 @@ void a\u200b(\u202e) {\n-old\n+if (access\u202e /* \u2066) { */ <img src=x onerror=alert(1)>\n+"
                        + "y".repeat(2_000_000) + "\n"
                        + "diff --git \"a/new\\nline.txt\" \"b/new\\nline.txt\"\n--- \"a/new\\nline.txt\"\n+++ \"b/new\\nline.txt\"\n@@ -1,1 +1,1 @@\n-a\n+b\n",
                evil + "\nits second line");

        Page page = visit("/reviews/" + id);

        assertThat(page.locator("h1")).containsText("<script>alert(1)</script>");
        assertThat(page.locator("h1")).containsText("⟨U+202E⟩⟨U+001B⟩[31mred");
        assertThat(page.locator("aside.files a:has-text('new⟨U+000A⟩line.txt') .p"))
                .not()
                .containsText("·"); // it is in no folder
        assertThat(page.locator("h3.path[title='new⟨U+000A⟩line.txt']")).hasText("\u200enew⟨U+000A⟩line.txt");
        assertThat(page.locator(".rv-desc")).containsText("red its second line"); // a text of lines keeps them
        assertThat(page.locator(".hunk").first()).containsText("void a⟨U+200B⟩(⟨U+202E⟩) {");
        assertThat(page.locator("[data-region=diff]")).containsText("(access⟨U+202E⟩ /* ⟨U+2066⟩) {");
        PageContract.assertNothingHides(page);
        assertThat(page.locator("[data-region=diff]")).containsText("1,998,000 more characters");
        assertThat(page.locator("main img, main script")).hasCount(0);
        assertThat(page.content().length()).isLessThan(200_000);
        assertThat(browser.complaints()).isEmpty();
        assertThat(visit("/reviews/no-such-review").locator("h1")).hasText("Not found");
    }

    @Test
    void since_i_last_looked_compares_with_the_round_that_i_saw() {
        Page page = visitAs("mira", refund());
        assertThat(page.locator("h1")).hasText(REFUND);
        for (int round = 3; round <= 4; round++) {
            BrokerClient.Reply claim =
                    caller.call("claim_review", "review_id", team.review(REFUND), "reviewer_id", "codex-91d4aa");
            caller.call(
                    "submit_verdict",
                    "review_id",
                    team.review(REFUND),
                    "reviewer_id",
                    "codex-91d4aa",
                    "claim_generation",
                    claim.generation(),
                    "verdict",
                    "changes_requested",
                    "reason",
                    "once more");
            next(round == 3 ? Diffs.REFUND_1 : Diffs.REFUND_2);
        }

        assertThat(page.locator(".rounds a")).hasCount(4); // the page has shown both by itself: mira may be away
        assertThat(page.getByText("Since I last looked")).isVisible();
        page.reload();

        assertThat(page.getByText("Since I last looked")).isVisible();
        assertThat(List.of(page.locator("a:has-text('Since I last looked')").getAttribute("href")))
                .first()
                .asString()
                .contains("against=2");
    }
}
