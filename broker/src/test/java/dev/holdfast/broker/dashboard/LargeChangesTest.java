package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Changes of thousands of files. */
class LargeChangesTest extends OnDashboard {
    /** A page of thousands of files takes seconds where four test processes share two cores. */
    private static final double LONG_MILLIS = 30_000;

    @BeforeAll
    static void waitLonger() {
        PlaywrightAssertions.setDefaultAssertionTimeout(LONG_MILLIS);
    }

    @AfterAll
    static void waitAsUsual() {
        PlaywrightAssertions.setDefaultAssertionTimeout(Browser.PATIENCE_MILLIS);
    }

    private static final int LARGEST_PAGE = 1_500_000;

    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }

    /** All files have the same risk, so that they stay in this order; the first 200 have more lines than a page shows. */
    private String proposed(int files) {
        return proposed(large(files));
    }

    private static String large(int files) {
        return IntStream.range(0, files)
                .mapToObj(i -> Diffs.small(path(i), i < 200 ? 30 : 2, 1))
                .collect(Collectors.joining());
    }

    private String proposed(String diff) {
        BrokerClient.Reply made = caller.call(
                "create_review",
                "intent",
                "Rename the package everywhere",
                "agent_type",
                "claude",
                "skip_diff_validation",
                true,
                "diff",
                diff);
        assertThat(made.status()).isEqualTo(200);
        return "/reviews/" + made.text("review_id");
    }

    private static String path(int i) {
        return "src/main/java/shop/part" + i / 100 + "/File" + i + ".java";
    }

    private Page claimed(String review, String how) {
        caller.call("claim_review", "review_id", review.substring(9), "reviewer_id", "mira");
        return visitAs("mira", review + how);
    }

    private static int size(Page page, String path) {
        return ((Number) page.evaluate(
                        "path => fetch(path).then(r => r.arrayBuffer()).then(all => all.byteLength)", path))
                .intValue();
    }

    @Test
    void its_pages_stay_small_however_they_are_looked_at() {
        String review = proposed(15_000);
        Page page = claimed(review, "");
        for (String way : List.of("", "?view=split", "?files=2", "?files=39", "?files=75&view=split", "?find=java")) {
            long start = System.nanoTime();
            int size = size(page, review + way);
            System.out.printf(
                    "15,000 files %s: %,d bytes, %d ms%n", way, size, (System.nanoTime() - start) / 1_000_000);
            assertThat(size).as(way).isBetween(100_000, LARGEST_PAGE);
        }
        page.navigate(page.url() + "?find=File149"); // few files: the checks take time for each line
        assertThat(Axe.serious(page)).isEmpty();
    }

    @Test
    void every_file_is_on_some_page_and_found_by_its_path() {
        String review = proposed(300);
        Page page = visit(review);
        assertThat(page.locator(".file")).hasCount(200);
        assertThat(page.locator(".files .pages")).containsText("1 to 200 of 300");
        page.locator(".diffs a[rel=next]").click();
        assertThat(page.locator(".file").first()).hasAttribute("data-path", path(200));
        assertThat(visit(review + "?files=2").locator(".file").last()).hasAttribute("data-path", path(299));

        page.keyboard().press("/");
        page.keyboard().type("File243");
        page.keyboard().press("Enter");
        assertThat(page.locator(".file")).hasCount(1);
        assertThat(page.locator(".file .diff")).containsText("fresh.value(2");
        assertThat(visit(review + "?find=nosuch").locator("main")).containsText("No file matches");
    }

    @Test
    void lines_that_a_page_keeps_back_come_when_asked_for_and_stay_when_it_reads_itself_again() {
        String review = proposed(300);
        Page page = claimed(review, "");
        var file = page.locator("[data-path='" + path(199) + "']");
        assertThat(file.locator(".diff")).hasCount(0);
        assertThat(file.locator("[data-read]")).hasCount(0); // nobody has seen it
        assertThat(post(
                        page,
                        review + "/read",
                        "file=199&revision="
                                + page.locator("[name=revision]").first().inputValue()))
                .isEqualTo(409);

        file.getByText("Show 33 lines").click();
        assertThat(file.locator(".diff tr.add")).hasCount(30);
        file.locator("[data-line='17'][data-side=new]").click();
        page.keyboard().type("Why so many?");
        page.keyboard().press("Control+Enter");
        assertThat(page.locator("[data-pending] li")).containsText("File199.java:17");
        file.locator("[data-read]").click();

        assertThat(file.locator("[data-read]:disabled")).hasCount(1);
        assertThat(file.locator(".diff tr.add")).hasCount(30);
        assertThat(page.locator(".files h3")).containsText("1 of 300 read");
        page.reload();
        assertThat(file.locator(".diff tr.add")).hasCount(30);
    }

    private void requestChanges(String page, Object... findings) {
        String review = page.substring("/reviews/".length());
        long generation = caller.call("claim_review", "review_id", review, "reviewer_id", "ann")
                .generation();
        caller.call(
                "submit_verdict",
                "review_id",
                review,
                "verdict",
                "changes_requested",
                "claim_generation",
                generation,
                "reviewer_id",
                "ann",
                "reason",
                "too large",
                "findings",
                List.of(findings));
    }

    @Test
    void a_finding_in_a_file_of_another_page_leads_to_its_line() {
        String review = proposed(300);
        requestChanges(
                review,
                Map.of("path", path(299), "line", 11, "severity", "must_fix", "message", "This overflows here"));
        Page page = visit(review);

        page.locator(".flist a").click();

        assertThat(page).hasURL(Pattern.compile("files=2&open=299#"));
        assertThat(page.locator("[data-path='" + path(299) + "'] .finding")).containsText("This overflows here");
        assertThat(page.locator("[data-path='" + path(299) + "'] .finding")).isInViewport();
    }

    /** As {@code diff -ru} writes it: no line says where a file's part begins but those that name it. */
    @Test
    void marking_a_file_of_a_plain_diff_as_read_marks_no_other() {
        String plain = large(20).replaceAll("(?m)^(diff --git|index) .*\n", "");
        Page page = claimed(proposed(plain), "");

        page.locator("[data-path='" + path(0) + "'] [data-read]").click();

        assertThat(page.locator("[data-path='" + path(0) + "'] [data-read]:disabled"))
                .hasCount(1);
        assertThat(page.locator(".files h3")).containsText("1 of 20 read");
        assertThat(page.locator(".stops")).containsText("19 files are not marked as read yet");
        page.reload();
        page.locator("[data-path='" + path(1) + "'] [data-read]").click();
        assertThat(page.locator(".files h3")).containsText("2 of 20 read");
    }

    @Test
    void lines_of_an_earlier_round_that_a_page_keeps_back_come_when_asked_for() {
        String review = proposed(300);
        requestChanges(review);
        caller.call(
                "create_review",
                "review_id",
                review.substring(9),
                "intent",
                "Rename the package in one file",
                "agent_type",
                "claude",
                "skip_diff_validation",
                true,
                "diff",
                Diffs.small(path(0), 3, 1));
        Page page = visit(review + "?round=1");
        var file = page.locator("[data-path='" + path(199) + "']");

        file.getByText("Show 33 lines").click();

        assertThat(file.locator(".diff tr.add")).hasCount(30);
    }

    @Test
    void a_file_with_lines_that_were_cut_is_not_read_before_they_were_shown_whole() {
        String hidden = "x".repeat(3_000) + " // the end of it";
        String review = proposed(Diffs.small("src/Short.java", 2, 1)
                + Diffs.small("src/app.min.js", 2, 1).replace("fresh.value(2", hidden + "fresh.value(2"));
        Page page = claimed(review, "");
        var file = page.locator("[data-path='src/app.min.js']"); // folded: it is generated
        assertThat(page.locator("[data-path='src/Short.java'] [data-read]")).hasCount(1);
        file.locator("[data-fold]").click();
        assertThat(file.locator(".diff")).containsText("fresh.value(1");
        assertThat(file.locator(".diff")).not().containsText("the end of it");
        assertThat(file.locator("[data-read]")).hasCount(0);

        file.getByText("Show 1 long line in full").click();

        assertThat(file.locator(".diff")).containsText("the end of it");
        assertThat(file.locator(".diff")).isVisible();
        file.locator("[data-read]").click();
        assertThat(file.locator("[data-read]:disabled")).hasCount(1);
        assertThat(file.locator(".diff")).containsText("the end of it"); // the page has read itself again
        assertThat(page.locator(".files h3")).containsText("1 of 2 read");
    }
}
