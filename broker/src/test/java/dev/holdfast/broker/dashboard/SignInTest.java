package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A dashboard that asks for a token. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SignInTest {
    @TempDir
    static Path folder;

    private Browser browser;
    private Broker broker;
    private String token;

    @BeforeAll
    void start() throws IOException {
        browser = Browser.open();
        broker = Broker.start(Config.in(TestSqlite.in(folder), new Settings().put(Setting.LOOPBACK, "token")));
        try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
            Path file = files.filter(
                            one -> Files.isRegularFile(one) && one.toString().contains("token"))
                    .findFirst()
                    .orElseThrow();
            token = Files.readString(file).strip();
        }
    }

    @AfterEach
    void tidy() {
        browser.tidy();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @Test
    void without_a_token_a_page_answers_401_with_what_to_do_and_the_token_leads_on_to_it() {
        Page page = browser.window("");
        Response refused = page.navigate(broker.url() + "/reviews?view=all");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(page.locator("main")).containsText("holdfast open");
        assertThat(Axe.serious(page)).isEmpty();

        page.locator("[name=token]").fill("wrong-token-wrong");
        page.getByText("Sign in").last().click();
        assertThat(page.locator("[role=alert]")).containsText("unknown");
        page.locator("[name=token]").fill(token);
        page.getByText("Sign in").last().click();

        assertThat(page.locator("h1")).hasText("Reviews");
        assertThat(page).hasURL(broker.url() + "/reviews?view=all");
        assertThat(page.evaluate("document.cookie")).isEqualTo("");
        assertThat(page.context().cookies().stream()
                        .filter(cookie -> cookie.name.equals("holdfast_token"))
                        .map(cookie -> cookie.httpOnly + " " + cookie.sameSite))
                .containsExactly("true STRICT");
        page.getByText("Who are you?").first().click();
        page.getByText("Sign out").click();
        assertThat(page.locator("h1")).hasText("This broker requires a token");
        assertThat(page.navigate(broker.url() + "/").status()).isEqualTo(401);
    }

    @Test
    void the_link_of_holdfast_open_signs_in_and_leaves_no_token_in_the_address() {
        Page page = browser.window("");
        page.navigate(broker.url() + "/sign-in?next=/work#" + token);

        assertThat(page.locator(".empty h2, h1").first()).isVisible();
        assertThat(page).hasURL(broker.url() + "/work");
    }

    @Test
    void a_link_that_brings_somebodys_token_asks_before_it_signs_in() {
        Page page = browser.window("");
        page.navigate(broker.url() + "/sign-in?next=/work#hf_0a1b2c3d_attackers-own-token");

        assertThat(page.locator("#linked")).containsText("brings the token 0a1b2c3d");
        assertThat(page).hasURL(broker.url() + "/sign-in?next=/work");
        assertThat(page.context().cookies()).isEmpty();
    }

    @Test
    void programs_are_refused_as_before_and_only_what_the_page_needs_is_open() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(get(client, "/", "application/json").body()).contains("\"unauthorized\"");
            assertThat(get(client, "/api/v1/who", "text/html").statusCode()).isEqualTo(401);
            assertThat(get(client, Assets.at("holdfast.css"), "text/css").statusCode())
                    .isEqualTo(200);
            assertThat(get(client, "/ui/assets/0a/../../metrics", "*/*").statusCode())
                    .isEqualTo(401);
            assertThat(get(client, "/ui/find?q=ab", "*/*").statusCode()).isEqualTo(401);
            HttpResponse<String> elsewhere = client.send(
                    HttpRequest.newBuilder(URI.create(broker.url() + "/sign-in"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .header("Sec-Fetch-Site", "same-origin")
                            .POST(HttpRequest.BodyPublishers.ofString("token=" + token + "&next=//evil.example/"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(elsewhere.headers().firstValue("Location")).hasValue("/");
        }
    }

    @Test
    void whoever_has_a_viewers_token_sees_no_actions_and_can_do_none() {
        try (Caller admin = new Caller(broker.url(), token)) {
            admin.call("create_work", "id", "hf-a", "title", "First");
            String viewer = admin.call("create_token", "name", "vera", "roles", java.util.List.of("viewer"))
                    .text("token");
            Page page = browser.window("");
            page.navigate(broker.url() + "/sign-in?next=/work/hf-a#" + viewer);
            page.getByText("Sign in").last().click();

            assertThat(page.locator("h1")).hasText("First");
            assertThat(page.locator(".who-am")).containsText("vera");
            assertThat(page.locator("main form:visible, main [data-open]:visible"))
                    .hasCount(0);
            assertThat(OnDashboard.post(page, "/ui/do/claim_work", "id=hf-a")).isEqualTo(403);
            assertThat(OnDashboard.post(page, "/reviews/x/draft", "draft=a")).isEqualTo(403);
        }
    }

    private HttpResponse<String> get(HttpClient client, String path, String accepted) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(broker.url() + path))
                        .header("Accept", accepted)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
