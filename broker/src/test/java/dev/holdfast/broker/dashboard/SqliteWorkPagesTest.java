package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.holdfast.broker.config.Config;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SqliteWorkPagesTest extends WorkPagesContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }

    private static final double LONGEST_PAUSE = 100;

    /** What the longest frame was made of. */
    private static final String WORST = """
            () => { const worst = pauses.toSorted((a, b) => b.duration - a.duration)[0]; if (!worst) return 'none';
              const end = worst.startTime + worst.duration, scripts = worst.scripts.map(one => `${one.sourceFunctionName || one.invoker} ${Math.round(one.duration)}, of that ${Math.round(one.forcedStyleAndLayoutDuration)} layout`);
              return `blocked ${Math.round(worst.blockingDuration)}; scripts: ${scripts.join('; ') || 'none'}; style, layout and paint ${Math.round(worst.styleAndLayoutStart ? end - worst.styleAndLayoutStart : 0)}`; }""";

    private static double number(Page page, String expression) {
        return ((Number) page.evaluate(expression)).doubleValue();
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
                  new PerformanceObserver(seen => pauses.push(...seen.getEntries())).observe({type: 'long-animation-frame'}); }""");

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
        double load = Math.max(
                1,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                        / Runtime.getRuntime().availableProcessors());
        double longest = number(page, "Math.max(0, ...pauses.map(one => one.duration))");
        double middle = number(page, "frames.toSorted((a, b) => a - b)[frames.length >> 1]");
        System.out.printf(
                "1,000 cards, load %.1f per core: the longest frame took %.0f ms (%s), %s took more than 50 ms; frames: %.0f ms in the middle, %.0f at p99%n",
                load,
                longest,
                page.evaluate(WORST),
                page.evaluate("pauses.length"),
                middle,
                number(page, "frames.toSorted((a, b) => a - b)[Math.floor(frames.length * .99)]"));
        assertThat(middle).isLessThan(50);
        assertThat(longest).isLessThan(LONGEST_PAUSE * load); // whoever shares the cores makes it wait
        assertThat(page.evaluate("scrollY > 0")).isEqualTo(true);
    }
}
