package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SqliteWorkPagesTest extends WorkPagesContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }

    /** As many rows as a page has at most; how long the window is busy with a change says whether it stays smooth. */
    @Test
    @Tag("heavy")
    void a_page_of_five_hundred_cards_takes_a_change_in_less_than_half_a_second_and_stays_where_it_was() {
        for (int i = 0; i < 500; i++) {
            done("create_work", "id", "hf-" + i, "title", "Item number " + i);
            done("claim_work", "id", "hf-" + i, "holder", "agent-" + i % 25);
        }
        Page page = visit("/work?view=holder");
        assertThat(page.locator(".item")).hasCount(500);
        page.evaluate("""
                () => { window.pauses = []; scrollTo(0, 1200);
                  new PerformanceObserver(seen => seen.getEntries().forEach(one => pauses.push(one.duration))).observe({entryTypes: ['longtask']}); }""");

        long generation = caller.call("get_work", "id", "hf-7")
                .body()
                .path("claim")
                .path("claim_generation")
                .asLong();
        done(
                "close_work",
                "id",
                "hf-7",
                "holder",
                "agent-7",
                "claim_generation",
                Math.max(1, generation),
                "reason",
                "done");

        assertThat(page.locator(".item")).hasCount(499);
        double longest = ((Number) page.evaluate("Math.max(0, ...pauses)")).doubleValue();
        System.out.printf("500 cards: the window was busy for %.0f ms at most%n", longest);
        assertThat(longest).isLessThan(500);
        assertThat(page.evaluate("scrollY")).isEqualTo(1200);
    }
}
