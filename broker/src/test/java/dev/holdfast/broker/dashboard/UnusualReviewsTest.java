package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reviews with more, or with something else, than is usual. */
class UnusualReviewsTest extends PageContract {
    private static final String LOCK = Diffs.small("package-lock.json", 3, 1);
    private static final String CODE = Diffs.small("src/Prices.java", 2, 1);

    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }

    @Override
    boolean keepsBroker() {
        return true;
    }

    private String proposed(String diff) {
        return done(
                        "create_review",
                        "intent",
                        "Something unusual",
                        "agent_type",
                        "claude",
                        "skip_diff_validation",
                        true,
                        "diff",
                        diff)
                .text("review_id");
    }

    private void revised(String id, String diff) {
        done(
                "create_review",
                "review_id",
                id,
                "intent",
                "Something unusual",
                "agent_type",
                "claude",
                "skip_diff_validation",
                true,
                "diff",
                diff);
    }

    private Page claimed(String id) {
        done("claim_review", "review_id", id, "reviewer_id", "mira");
        return visitAs("mira", "/reviews/" + id);
    }

    private String status(String id) {
        return done("get_review_status", "review_id", id).text("status");
    }

    private JsonNode onlyFinding(String id) {
        JsonNode findings = done("get_proposal", "review_id", id).body().path("findings");
        assertThat(findings.size()).as("%s", findings).isEqualTo(1);
        return findings.get(0);
    }

    private static Locator file(Page page, String path) {
        return page.locator("[data-path='" + path + "']");
    }

    private static void comment(Page page, Locator cell, String text) {
        cell.click();
        page.locator(".composer textarea").fill(text);
        page.locator(".composer [data-add]").click();
        assertThat(page.locator("[data-draft-says]")).hasText("Draft kept on the broker");
    }

    @Test
    void a_link_a_submodule_and_a_changed_mode_are_named_in_the_head_of_their_file() {
        Page page = claimed(proposed("""
                diff --git a/etc/app.conf b/etc/app.conf
                deleted file mode 100644
                index 1111111..0000000
                --- a/etc/app.conf
                +++ /dev/null
                @@ -1 +0,0 @@
                -debug = false
                diff --git a/etc/app.conf b/etc/app.conf
                new file mode 120000
                index 0000000..2222222
                --- /dev/null
                +++ b/etc/app.conf
                @@ -0,0 +1 @@
                +/etc/shadow
                \\ No newline at end of file
                diff --git a/libs/pay b/libs/pay
                index 1111111..2222222 160000
                --- a/libs/pay
                +++ b/libs/pay
                @@ -1 +1 @@
                -Subproject commit 1111111111111111111111111111111111111111
                +Subproject commit 2222222222222222222222222222222222222222
                diff --git a/run.sh b/run.sh
                old mode 100644
                new mode 100755
                """));

        assertThat(file(page, "etc/app.conf").last().locator(".kind")).hasText("symbolic link");
        assertThat(file(page, "libs/pay").locator(".kind")).hasText("submodule");
        assertThat(file(page, "run.sh").locator(".kind")).hasText("plain file → executable");
        page.setViewportSize(390, 844);
        assertThat(file(page, "run.sh").locator(".kind")).isVisible();
        page.setViewportSize(1440, 900);

        Locator target = file(page, "etc/app.conf").last().locator("[data-line='1']");
        comment(page, target, "Not there");
        assertThat(file(page, "etc/app.conf").last().locator(".draft")).containsText("app.conf:1");
        page.locator("button[value=changes_requested]").click();
        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");
        String id = page.url().replaceAll(".*/", "");
        assertThat(onlyFinding(id).path("line").asInt()).isEqualTo(1);
    }

    @Test
    void a_folded_file_is_marked_as_read_only_after_its_lines_were_shown() {
        String id = proposed(CODE + LOCK);
        Page page = claimed(id);
        Locator lock = file(page, "package-lock.json");
        assertThat(file(page, "src/Prices.java").locator("[data-read]")).hasCount(1);
        assertThat(lock.locator("[data-read], table.diff")).hasCount(0);
        String unproven =
                "file=1&revision=" + done("get_review_status", "review_id", id).text("revision");
        assertThat(post(page, "/reviews/" + id + "/read", unproven)).isEqualTo(409);
        assertThat(post(page, "/reviews/" + id + "/read", unproven.replace("file=1", "file=7")))
                .isEqualTo(400);

        lock.locator("[data-fold]").click();

        assertThat(lock.locator("tr.add")).hasCount(3);
        assertThat(lock.locator("tr.add").first()).isVisible();
        lock.locator("[data-read]").click();
        assertThat(lock.locator("[data-read]:disabled")).hasCount(1);
        assertThat(page.locator(".files h3")).containsText("1 of 2 read");
    }

    private static final int FILES = 210;

    private static String many(int added) {
        return IntStream.range(0, FILES)
                .mapToObj(i -> Diffs.small("src/File" + i + ".java", i == 0 ? added : 1, 1))
                .collect(Collectors.joining());
    }

    @Test
    void a_draft_is_sent_for_its_line_from_a_page_that_does_not_show_its_file() {
        String id = proposed(many(5));
        Page page = claimed(id);
        comment(page, file(page, "src/File0.java").locator("[data-line='13'][data-side=new]"), "Why three?");

        page.navigate(broker.url() + "/reviews/" + id + "?files=2");
        assertThat(page.locator("[data-pending] li")).containsText("File0.java:13");
        page.locator("button[value=changes_requested]").click();
        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");

        assertThat(onlyFinding(id).path("line").asInt()).isEqualTo(13);
    }

    @Test
    void a_draft_of_an_earlier_version_is_about_the_file_unless_its_line_is_shown_to_be_the_same() {
        String id = proposed(many(5));
        Page page = claimed(id);
        comment(page, file(page, "src/File0.java").locator("[data-line='13'][data-side=new]"), "Why three?");
        revised(
                id,
                many(7).replaceFirst("\\+        fresh.value\\(1,", "+        other.value(0);\n+        fresh.value(1,")
                        .replaceFirst("\\+10,9 @@", "+10,10 @@"));
        done("claim_review", "review_id", id, "reviewer_id", "mira");

        for (String how : List.of("?files=2", "?round=1")) { // also what an earlier round's page shows is kept
            page.navigate(broker.url() + "/reviews/" + id + how);
            assertThat(page.locator("[data-pending] li")).containsText("File0.java (was line 13)");
        }
        page.navigate(broker.url() + "/reviews/" + id + "?files=2");
        page.locator("button[value=changes_requested]").click();
        assertThat(page.locator(".rv-meta .badge")).hasText("changes requested");

        JsonNode finding = onlyFinding(id);
        assertThat(finding.path("line").asInt()).isEqualTo(0);
        assertThat(finding.path("message").asString())
                .startsWith("Why three?")
                .contains("line 13 of an earlier version", "fresh.value(3");
    }

    @Test
    void a_text_that_is_no_diff_is_read_as_a_whole_and_then_approved() {
        String id = proposed("Drop the table of refunds.\nAsk \u202enobody.\n");
        Page page = claimed(id);
        assertThat(page.locator(".blob.raw")).containsText("Ask ⟨U+202E⟩nobody.");
        assertNothingHides(page);
        assertThat(page.locator(".stops")).containsText("The text is not marked as read yet");
        Locator approve = page.locator("button[value=approved]");
        assertThat(approve).hasAttribute("aria-disabled", "true");
        String unproven =
                "revision=" + done("get_review_status", "review_id", id).text("revision");
        assertThat(post(page, "/reviews/" + id + "/read", unproven)).isEqualTo(409);

        page.locator("[data-read]").click();
        assertThat(page.locator(".stops")).containsText("You have read all of round 1");
        approve.click();

        assertThat(page.locator(".rv-meta .badge")).hasText("approved");
        assertThat(status(id)).isEqualTo("approved");
    }

    @Test
    void a_review_without_a_diff_says_so() {
        Page page = visit("/reviews/"
                + done(
                                "create_review",
                                "intent",
                                "Plan",
                                "agent_type",
                                "claude",
                                "description",
                                "First this, then that")
                        .text("review_id"));

        assertThat(page.locator(".diffs")).containsText("There is no diff");
        assertThat(page.locator(".diffs")).containsText("Only the description above is up for review.");
    }

    @Test
    void a_draft_that_no_page_writes_is_refused() {
        String id = proposed(CODE);
        Page page = visitAs("mira", "/reviews/" + id);
        String comment =
                "{\"path\":\"src/Prices.java\",\"line\":1,\"side\":\"new\",\"severity\":\"note\",\"message\":\"m\"}";
        for (String draft : List.of(
                "[]",
                "7",
                "{\"reason\":",
                "{\"reason\":7}",
                "{\"verdict\":\"approved\"}",
                "{\"comments\":{}}",
                "{\"comments\":[" + comment.replace("\"line\":1", "\"line\":-1") + "]}",
                "{\"comments\":[" + comment.replace("\"line\":1", "\"line\":1e99") + "]}",
                "{\"comments\":[" + comment.replace("new", "both") + "]}",
                "{\"comments\":[" + comment.replace("note", "fatal") + "]}",
                "{\"comments\":[" + comment.replace("\"m\"", "\"" + "m".repeat(4_001) + "\"") + "]}",
                "{\"comments\":[" + (comment + ",").repeat(50) + comment + "]}",
                "{\"resolved\":[1]}",
                "{\"waived\":[{\"id\":\"f1\"}]}",
                "[".repeat(100_000),
                "{\"reason\":\"" + "r".repeat(200_000) + "\"}")) {
            assertThat(post(page, "/reviews/" + id + "/draft", "draft=" + draft.replace("+", "%2B")))
                    .as(draft.substring(0, Math.min(100, draft.length())))
                    .isEqualTo(400);
        }
        assertThat(post(page, "/reviews/no-such-review/draft", "draft={}")).isEqualTo(404);
        assertThat(post(page, "/reviews/" + id + "/draft", "draft={\"reason\":\"r\",\"comments\":[" + comment + "]}"))
                .isEqualTo(200);
    }

    @Test
    void a_comment_that_is_too_long_to_be_kept_says_so_at_once() {
        Page page = claimed(proposed(CODE));
        file(page, "src/Prices.java").locator("[data-line='11'][data-side=new]").click();
        page.locator(".composer textarea").fill("x".repeat(4_001));
        page.locator(".composer [data-add]").click();

        assertThat(page.locator("[data-draft-says]")).containsText("could not be kept");
        assertThat(page.locator("[data-draft-says]")).containsText("comments[0].message");
    }

    @Test
    void the_timeline_begins_with_the_newest_and_leads_to_the_oldest() {
        String id = proposed(CODE);
        Page page = claimed(id);
        for (int i = 0; i < 230; i++) {
            done(
                    "add_message",
                    "review_id",
                    id,
                    "sender_role",
                    i % 2 == 0 ? "reviewer" : "proposer",
                    "body",
                    "message number " + i + ".");
        }
        page.reload();
        Locator timeline = page.locator("#timeline");
        assertThat(timeline.locator("li").first()).containsText("message number 229.");
        assertThat(timeline.locator("li")).hasCount(200);
        assertThat(timeline).not().containsText("message number 29.");

        timeline.getByText("Older").click();
        assertThat(timeline.locator("li").first()).containsText("message number 29.");
        assertThat(timeline.locator("li").last()).containsText("proposed it");
        assertThat(timeline.getByText("Older")).hasCount(0);
        timeline.getByText("Newest").click();
        assertThat(timeline.locator("li").first()).containsText("message number 229.");
        page.navigate(broker.url() + "/reviews/" + id + "?past=1.2.x");
        assertThat(timeline.locator("li").first()).containsText("message number 229.");
    }

    @Test
    void a_name_that_is_a_tokens_is_refused_with_the_reason_and_another_one_goes_on() {
        String id = proposed(CODE);
        done("create_token", "name", "vera", "roles", List.of("viewer"));
        Page page = visit("/reviews/" + id);
        page.context()
                .addCookies(List.of(new Cookie("holdfast_person", "dmVyYQ")
                        .setUrl(broker.url())
                        .setHttpOnly(true)));
        page.getByText("Claim it").click();
        Locator why = page.locator("#person [data-why]");
        assertThat(why).containsText("vera is a name of the token vera");

        page.locator("#person input[name=name]").fill("vera");
        page.getByText("Use this name").click();
        assertThat(page.locator(".toast.bad")).containsText("vera is a name of the token vera");
        assertThat(page.locator("#person")).isVisible();
        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();

        assertThat(page.locator(".verdict h2")).hasText("Your verdict");
        assertThat(page.locator(".who-am")).containsText("mira");
    }

    @Test
    void a_page_acts_only_in_the_name_that_it_shows() {
        String id = proposed(CODE);
        Page page = visitAs("mira", "/reviews/" + id);
        page.context()
                .addCookies(List.of(new Cookie("holdfast_person", "YW5u") // as another page of this browser does
                        .setUrl(broker.url())
                        .setHttpOnly(true)));

        page.getByText("Claim it").click();

        assertThat(page.locator(".toast.bad")).containsText("is now ann; reload the page");
        assertThat(status(id)).isEqualTo("pending");
        page.reload();
        page.getByText("Claim it").click();
        assertThat(page.locator(".verdict h2")).hasText("Your verdict");
    }
}
