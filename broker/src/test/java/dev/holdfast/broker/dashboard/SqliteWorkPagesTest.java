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

    /** As many cards as a page has at most; how long the window is busy while much happens says whether it stays smooth. */
    @Test
    @Tag("heavy")
    void a_page_of_a_thousand_cards_stays_smooth_and_where_it_was_while_several_things_happen_a_second() {
        for (int i = 0; i < 1_000; i++) {
            done("create_work", "id", "hf-" + i, "title", "Item number " + i);
            done("claim_work", "id", "hf-" + i, "holder", "agent-" + i % 25);
        }
        Page page = visit("/work?view=holder");
        assertThat(page.locator(".item")).hasCount(1_000);
        page.evaluate("""
                () => { window.pauses = []; window.frames = []; scrollTo(0, 1200); let last = performance.now();
                  const frame = now => { frames.push(now - last); last = now; requestAnimationFrame(frame); }; requestAnimationFrame(frame);
                  new PerformanceObserver(seen => seen.getEntries().forEach(one => pauses.push(one.duration))).observe({entryTypes: ['longtask']}); }""");

        for (int i = 0; i < 40; i++) {
            done(
                    "close_work",
                    "id",
                    "hf-" + i * 7,
                    "holder",
                    "agent-" + i * 7 % 25,
                    "claim_generation",
                    1,
                    "reason",
                    "done");
            page.waitForTimeout(150);
        }

        assertThat(page.locator(".item")).hasCount(960);
        double longest = ((Number) page.evaluate("Math.max(0, ...pauses)")).doubleValue();
        System.out.printf(
                "1,000 cards: busy for %.0f ms at most, %s times more than 50 ms; frames: %s ms in the middle, %s at p99, %s at most%n",
                longest,
                page.evaluate("pauses.length"),
                page.evaluate("Math.round(frames.toSorted((a, b) => a - b)[frames.length >> 1])"),
                page.evaluate("Math.round(frames.toSorted((a, b) => a - b)[Math.floor(frames.length * .99)])"),
                page.evaluate("Math.round(Math.max(...frames))"));
        assertThat(((Number) page.evaluate("frames.toSorted((a, b) => a - b)[frames.length >> 1]")).doubleValue())
                .isLessThan(50); // the longest depends on who else uses the machine
        assertThat(page.evaluate("scrollY > 0")).isEqualTo(true);
    }
}
