package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.pool.ScriptedReviewer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Looks at every page with a team at work, in both themes and sizes: nothing serious is in anybody's way, nothing is wider than the
 * window, and no console complains. With {@code HOLDFAST_WRITE_DOCS=1} it writes the pictures in docs/images.
 */
class PicturesTest extends OnDashboard {
    private static final Optional<Path> WRITTEN =
            Optional.ofNullable(System.getenv("HOLDFAST_WRITE_DOCS")).map(_ -> Path.of("../docs/images"));

    /** The folder of a test and the name of its machine mean nothing to whoever looks at a picture. */
    private static final String AT_HOME = """
            ([folder, machine]) => { const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data
                .replaceAll(folder, '/home/mira/.local/share/holdfast').replaceAll(machine, 'workshop'); }""";

    /** Addresses by names. */
    private final Map<String, String> pages = new LinkedHashMap<>();

    /** Reviewers that have said what they are about to do, and leave the proposals to the people in the pictures. */
    @Override
    Config config(Path folder) {
        String says = """
                echo 'reading the rules of shop'
                echo '14 rules, 2 of them must be met'
                echo 'exec: git log -5 --oneline -- src/main/java/shop'
                echo 'warning: the model was asked twice, continuing' >&2
                echo 'the clock is taken once per request; good'
                echo 'waiting for the next proposal'
                while [ ! -f %s ]; do sleep 0.2; done
                exec "$@\"""".formatted(folder.resolve("go"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", says, "reviewer"));
        command.addAll(
                WRITTEN.isPresent()
                        ? ScriptedReviewer.command("claim-and-sleep", folder)
                        : List.of("sleep", "100000")); // a reviewer that really claims costs a Java process
        return Config.in(
                folder,
                new Settings()
                        .put(Setting.POOL_ENGINE, "command")
                        .put(Setting.POOL_COMMAND, command)
                        .put(Setting.POOL_WORKSPACE, shop(folder).toString())
                        .put(Setting.POOL_COOLDOWN, 1L));
    }

    private static Path shop(Path folder) {
        try {
            return Files.createDirectories(folder.resolve("acme"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void fill() {
        Team team = new Team(caller).onABusyDay();
        String refund = team.review("Refund at most what is left of a capture");
        caller.call("claim_review", "review_id", refund, "reviewer_id", "mira");
        History.write(folder);
        pages.clear();
        pages.put("overview", "/");
        pages.put("reviews", "/reviews");
        pages.put("review", "/reviews/" + refund);
        pages.put("review-since", "/reviews/" + refund + "?against=1");
        pages.put("review-split", "/reviews/" + refund + "?view=split");
        for (String name : List.of("work", "tasks", "agents", "events", "settings")) {
            pages.put(name, "/" + name);
        }
        pages.put("pool", "/pool?log=" + reviewer());
        if (WRITTEN.isPresent()) {
            putToWork();
        }
        pages.put("work-item", "/work/hf-7q2m");
        pages.put(
                "task",
                "/tasks/"
                        + caller.call("list_tasks")
                                .body()
                                .path("tasks")
                                .path(0)
                                .path("task_id")
                                .asString());
        pages.put("missing", "/reviews/none");
    }

    /** Two of the reviewers take a proposal each, and all of them look back on a day. */
    private void putToWork() {
        try {
            Files.createFile(folder.resolve("go"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> caller.call("list_reviews", "status", "claimed")
                                .body()
                                .path("reviews")
                                .size()
                        >= 5);
        History.reviewersLookBack(folder);
    }

    private String reviewer() {
        return Awaitility.await()
                .until(
                        () -> caller.call("list_reviewers")
                                .body()
                                .path("reviewers")
                                .path(0)
                                .path("id")
                                .asString(""),
                        id -> !id.isEmpty());
    }

    /** On a desktop by day and on a phone by night, in turn. */
    @Test
    void every_page_can_be_used_by_everybody_and_fits_its_window() {
        if (WRITTEN.isPresent()) {
            inEverySizeAndTheme();
        } else {
            look(Browser.Size.DESKTOP, ColorScheme.LIGHT, place -> place % 2 == 0);
            look(Browser.Size.PHONE, ColorScheme.DARK, place -> place % 2 == 1);
        }
    }

    @Test
    @Tag("heavy")
    void every_page_can_be_used_in_every_size_and_theme() {
        inEverySizeAndTheme();
    }

    private void inEverySizeAndTheme() {
        for (Browser.Size size : Browser.Size.values()) {
            for (ColorScheme colours : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
                look(size, colours, _ -> true);
            }
        }
    }

    private void look(Browser.Size size, ColorScheme colours, IntPredicate chosen) {
        Page page = browser.window(size, colours);
        page.navigate(broker.url());
        page.locator("[data-open=person]").first().click();
        page.locator("#person input[name=name]").fill("mira");
        page.getByText("Use this name").click();
        assertThat(page.locator(".who-am")).isVisible();
        List<String> names = List.copyOf(pages.keySet());
        for (int place = 0; place < names.size(); place++) {
            String name = names.get(place);
            boolean hasOneColumn = size == Browser.Size.PHONE && name.equals("review-split");
            if (chosen.test(place) && !hasOneColumn) {
                look(page, name, Objects.requireNonNull(pages.get(name)), size, colours);
            }
        }
        browser.complaints().removeIf(said -> said.contains("404"));
        assertThat(browser.complaints()).isEmpty();
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void look(Page page, String name, String path, Browser.Size size, ColorScheme colours) {
        String called = name + "-" + size.name().toLowerCase(java.util.Locale.ROOT) + "-"
                + colours.name().toLowerCase(java.util.Locale.ROOT);
        page.navigate(broker.url() + path);
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .as(called + " fits")
                .isEqualTo(true);
        WRITTEN.filter(_ -> !name.equals("missing")).ifPresent(images -> {
            page.evaluate(AT_HOME, List.of(folder.toString(), machine()));
            page.screenshot(new Page.ScreenshotOptions().setPath(images.resolve(called + ".png")));
        });
        assertThat(Axe.serious(page)).as(called).isEmpty();
    }
}
