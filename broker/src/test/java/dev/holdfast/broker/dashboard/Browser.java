package dev.holdfast.broker.dashboard;

import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The system's Chromium. Every window has cookies of its own, and what its console complains of is kept. */
final class Browser implements AutoCloseable {
    private static final List<String> QUIET = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

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

    private Browser(Path program) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(QUIET));
    }

    /** Skips the tests that need it where there is none. */
    static Browser open() {
        return new Browser(program().orElseGet(() -> abort("needs chromium on the PATH")));
    }

    private static Optional<Path> program() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> Stream.of("chromium-headless-shell", "chromium", "google-chrome")
                        .map(name -> Path.of(folder).resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Page window() {
        return window(Size.DESKTOP, ColorScheme.LIGHT);
    }

    Page window(Size size, ColorScheme colours) {
        BrowserContext context = chromium.newContext(new com.microsoft.playwright.Browser.NewContextOptions()
                .setViewportSize(size.width, size.height)
                .setDeviceScaleFactor(size == Size.PHONE ? 2 : 1)
                .setColorScheme(colours)
                .setReducedMotion(ReducedMotion.REDUCE));
        context.setDefaultTimeout(20_000);
        Page page = context.newPage();
        page.onConsoleMessage(said -> {
            if (said.type().equals("error")) {
                complaints.add(said.text());
            }
        });
        page.onPageError(error -> complaints.add(error));
        return page;
    }

    /** Between two tests. */
    void closeWindows() {
        List.copyOf(chromium.contexts()).forEach(BrowserContext::close);
        complaints.clear();
    }

    /** What consoles have complained of: a script that broke, something that the policy did not allow. */
    List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}
