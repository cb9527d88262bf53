package dev.holdfast.broker.dashboard;

import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.JsonObject;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The system's Chromium, one for all tests of this process: its start takes longer than many a test. Every window has cookies of its
 * own, and what its console complains of is kept.
 */
final class Browser {
    private static final List<String> QUIET = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--renderer-process-limit=1"); // or each window, and most steps from page to page, start a process

    static final double PATIENCE_MILLIS = 20_000;

    /** How large a window is. */
    enum Size {
        DESKTOP(1440, 900),
        PHONE(390, 844);

        final int width;
        final int height;

        Size(int width, int height) {
            this.width = width;
            this.height = height;
        }
    }

    private final Playwright playwright;
    private final com.microsoft.playwright.Browser chromium;
    private final List<String> complaints = new ArrayList<>();

    /** Windows by who looks, for as long as a test runs; the first is kept for the next test. */
    private final Map<String, Page> windows = new LinkedHashMap<>();

    private @Nullable Page kept;

    private Browser(Path program) {
        // as long as for actions: a reviewer may have to start and end first, on a machine with much else to do
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(QUIET));
    }

    /** Started by the first who asks; ends with the process. */
    private static final class Started {
        private static final Optional<Browser> ONE = program().map(Browser::new);
    }

    /** Skips the tests that need it where there is none. */
    static Browser open() {
        return Started.ONE.orElseGet(() -> abort("needs chromium on the PATH"));
    }

    private static Optional<Path> program() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> Stream.of("chromium-headless-shell", "chromium", "google-chrome")
                        .map(name -> Path.of(folder).resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param of who looks; the same window for the same one */
    Page window(String of) {
        return windows.computeIfAbsent(of, _ -> {
            Page page = windows.isEmpty() && kept != null ? kept : window(Size.DESKTOP, ColorScheme.LIGHT);
            kept = windows.isEmpty() ? page : kept;
            return page;
        });
    }

    Page window(Size size, ColorScheme colours) {
        BrowserContext context = chromium.newContext(new com.microsoft.playwright.Browser.NewContextOptions()
                .setViewportSize(size.width, size.height)
                .setDeviceScaleFactor(size == Size.PHONE ? 2 : 1)
                .setColorScheme(colours)
                .setReducedMotion(ReducedMotion.REDUCE));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        Page page = context.newPage();
        page.onConsoleMessage(said -> {
            if (said.type().equals("error")) {
                complaints.add(said.text());
            }
        });
        page.onPageError(error -> complaints.add(error));
        return page;
    }

    /** Between two tests: a window without a past. */
    void tidy() {
        List.copyOf(chromium.contexts()).stream()
                .filter(context -> kept == null || !context.equals(kept.context()))
                .forEach(BrowserContext::close);
        windows.clear();
        if (kept != null) {
            String last = kept.url();
            kept.navigate("about:blank"); // first: a page that is still on its way somewhere can't be asked anything
            if (last.startsWith("http")) {
                forget(kept, URI.create(last).resolve("/").toString());
            }
            kept.context().clearCookies();
        }
        complaints.clear();
    }

    private static void forget(Page page, String origin) {
        CDPSession session = page.context().newCDPSession(page);
        JsonObject what = new JsonObject();
        what.addProperty("origin", origin);
        what.addProperty("storageTypes", "local_storage");
        session.send("Storage.clearDataForOrigin", what);
        session.detach();
    }

    /** What consoles have complained of: a script that broke, something that the policy did not allow. */
    List<String> complaints() {
        return complaints;
    }
}
