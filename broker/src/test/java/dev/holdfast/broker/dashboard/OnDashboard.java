package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A real browser that looks at a real broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnDashboard {
    @TempDir
    Path folder;

    Browser browser;
    Broker broker;
    Caller caller;

    abstract Config config(Path folder);

    @BeforeAll
    void open() {
        browser = Browser.open();
    }

    @AfterAll
    void shut() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void start() {
        broker = Broker.start(config(folder));
        caller = new Caller(broker);
    }

    @AfterEach
    void stop() {
        browser.closeWindows();
        caller.close();
        broker.close();
    }

    Page visit(String path) {
        Page page = browser.window();
        page.navigate(broker.url() + path);
        return page;
    }

    /** The same in the name of somebody. */
    Page visitAs(String person, String path) {
        Page page = visit("/");
        page.getByText("Who are you?").first().click();
        page.locator("#person input[name=name]").fill(person);
        page.getByText("Act as this").click();
        assertThat(page.locator(".who-am")).containsText(person);
        page.navigate(broker.url() + path);
        return page;
    }
}
