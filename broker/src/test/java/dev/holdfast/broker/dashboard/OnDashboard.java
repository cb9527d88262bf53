package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.TestSqlite;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
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
    static Path kept;

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init")
    Browser browser;

    @SuppressWarnings("NullAway.Init")
    Broker broker;

    @SuppressWarnings("NullAway.Init")
    BrokerClient caller;

    private boolean running;

    abstract Config config(Path folder);

    @BeforeAll
    void open() {
        browser = Browser.open();
    }

    /** One broker for all tests of the class; else each has an empty one. */
    boolean keepsBroker() {
        return false;
    }

    @BeforeEach
    void start() {
        if (running) {
            return;
        }
        Config config = config(keepsBroker() ? kept : folder);
        if (config.store().database() == null) {
            TestSqlite.in(config.store().data());
        }
        broker = Broker.start(config);
        caller = new BrokerClient(broker);
        running = true;
    }

    @AfterEach
    void tidy() {
        browser.tidy();
        if (!keepsBroker()) {
            stop();
        }
    }

    @AfterAll
    void stop() {
        if (running) {
            running = false;
            caller.close();
            broker.close();
        }
    }

    /** Goes there, in the window that this test has already if there is one. */
    Page visit(String path) {
        Page page = browser.window("");
        page.navigate(broker.url() + path);
        return page;
    }

    /** The same in the name of somebody, who has a window of their own. */
    Page visitAs(String person, String path) {
        Page page = browser.window(person);
        page.context()
                .addCookies(List.of(new Cookie("holdfast_person", encoded(person))
                        .setUrl(broker.url())
                        .setHttpOnly(true)));
        page.navigate(broker.url() + path);
        assertThat(page.locator(".who-am")).containsText(person);
        return page;
    }

    /** As a form of the page would. */
    static Object post(Page page, String path, String fields) {
        return page.evaluate(
                "([path, fields]) => fetch(path, {method: 'POST', body: new URLSearchParams(fields), headers: {'Holdfast-Token': document.body.dataset.token}}).then(r => r.status)",
                new Object[] {path, fields});
    }

    private static String encoded(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }
}
