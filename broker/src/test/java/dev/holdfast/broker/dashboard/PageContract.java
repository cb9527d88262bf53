package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.holdfast.broker.BrokerClient;

/** A browser that looks at a broker with nothing in it yet. */
abstract class PageContract extends OnDashboard {
    /** A name and a text that want to be more than text. */
    static final String HOSTILE = "\u202e<script>alert(1)</script>\"><img src=x onerror=alert(1)>";

    BrokerClient.Reply done(String verb, Object... arguments) {
        BrokerClient.Reply reply = caller.call(verb, arguments);
        assertThat(reply.status()).as(verb + " answered " + reply.body()).isEqualTo(200);
        return reply;
    }

    /** No mark that turns the reading direction and nothing without width is in what a page shows or says on hover. */
    static void assertNothingHides(Page page) {
        assertThat(
                        String.valueOf(
                                page.evaluate(
                                        "document.body.textContent + [...document.querySelectorAll('[title]')].map(one => one.title).join()")))
                .doesNotContainPattern("[\\u200b-\\u200d\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]");
    }

    /** As two keys do, one right after the other. */
    static void sendTwice(Page page, String form) {
        page.locator(form).evaluate("form => { form.requestSubmit(); form.requestSubmit(); }");
    }

    /** How often this has happened to something. */
    long happened(String resource, String type) {
        return done("get_events", "resource", resource, "limit", 1000)
                .body()
                .path("events")
                .valueStream()
                .filter(event -> event.path("type").asString().equals(type))
                .count();
    }

    /** Nothing that others wrote has become anything but text. */
    void assertHarmless(Page page) {
        assertThat(page.locator("main")).containsText("<script>alert(1)</script>");
        assertThat(page.locator("main img, main script")).hasCount(0);
        assertNothingHides(page);
        assertThat(browser.complaints()).isEmpty();
    }
}
