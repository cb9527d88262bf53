package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

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

/** A browser that looks at a broker with nothing in it yet. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PageContract {
    /** A name and a text that want to be more than text. */
    static final String HOSTILE = "\u202e<script>alert(1)</script>\"><img src=x onerror=alert(1)>";

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

    /** As somebody who has said who they are. */
    Page visitAs(String name, String path) {
        Page page = visit(path);
        page.getByText("Who are you?").first().click();
        page.locator("#person input[name=name]").fill(name);
        page.getByText("Act as this").click();
        assertThat(page.locator(".who-am")).containsText(name);
        return page;
    }

    Caller.Reply done(String verb, Object... arguments) {
        Caller.Reply reply = caller.call(verb, arguments);
        assertThat(reply.status()).as(verb + " answered " + reply.body()).isEqualTo(200);
        return reply;
    }

    /** Nothing that others wrote has become anything but text. */
    void assertHarmless(Page page) {
        assertThat(page.locator("main")).containsText("<script>alert(1)</script>");
        assertThat(page.locator("main img, main script")).hasCount(0);
        assertThat(browser.complaints()).isEmpty();
    }
}
