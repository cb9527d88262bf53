package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
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
        token = tokenOf(folder);
    }

    private static String tokenOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
            Path file = files.filter(
                            one -> Files.isRegularFile(one) && one.toString().contains("token"))
                    .findFirst()
                    .orElseThrow();
            return Files.readString(file).strip();
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

    /** A page can be read before its scripts have run, and a click then opens nothing. */
    private static void signOut(Page page) {
        page.waitForLoadState();
        page.getByText("Who are you?").first().click();
        page.getByText("Sign out").click();
    }

    @Test
    void without_a_token_a_page_answers_401_with_what_to_do_and_the_token_leads_on_to_it() {
        Page page = browser.window("");
        Response refused = page.navigate(broker.url() + "/reviews?view=all");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(page.locator("main")).containsText("holdfast open");
        assertThat(page.locator("header svg")).hasCSS("width", "22px");
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
                        .filter(cookie -> cookie.name.equals("holdfast_session"))
                        .map(cookie -> cookie.httpOnly + " " + cookie.sameSite))
                .containsExactly("true STRICT");
        signOut(page);
        assertThat(page.locator("h1")).hasText("This broker requires a token");
        assertThat(page.navigate(broker.url() + "/").status()).isEqualTo(401);
    }

    @Test
    void the_link_of_holdfast_open_signs_in_once_and_leaves_nothing_in_the_address() {
        Page page = browser.window("");
        String link = link("/work", token);
        page.navigate(link);

        assertThat(page.locator(".empty h2, h1").first()).isVisible();
        assertThat(page).hasURL(broker.url() + "/work");

        Page other = browser.window("somebody else");
        other.navigate(link);
        assertThat(other.locator("[role=alert]")).containsText("was used already");
        assertThat(other.context().cookies()).isEmpty();
    }

    @Test
    void the_link_of_a_team_token_asks_once_whether_it_is_yours_and_then_signs_in() {
        try (BrokerClient admin = new BrokerClient(broker.url(), token)) {
            String lena = admin.call("create_token", "name", "lena", "roles", List.of("reviewer"))
                    .text("token");
            Page page = browser.window("");
            page.navigate(link("/work", lena));

            assertThat(page.locator("h1")).hasText("Is this you?");
            assertThat(page.locator("main")).containsText("with the token lena");
            assertThat(page.context().cookies()).isEmpty();
            assertThat(Axe.serious(page)).isEmpty();
            page.getByText("Sign in as lena").click();
            assertThat(page).hasURL(broker.url() + "/work");
            assertThat(page.locator(".who-am")).containsText("lena");

            page.navigate(link("/reviews", lena));
            assertThat(page).hasURL(broker.url() + "/reviews");

            page.navigate("about:blank");
            page.navigate(link("/tasks", token));
            assertThat(page).hasURL(broker.url() + "/tasks");
            assertThat(page.getByText("Who are you?").first()).isVisible();
        }
    }

    @Test
    void a_link_ends_with_its_token_and_is_no_session_and_no_token() throws Exception {
        try (BrokerClient admin = new BrokerClient(broker.url(), token);
                HttpClient client = HttpClient.newHttpClient()) {
            String otto = admin.call("create_token", "name", "otto", "roles", List.of("viewer"))
                    .text("token");
            String link = link("/work", otto);
            String secret = link.substring(link.indexOf('#') + 1);
            assertThat(get(client, broker, "/work", "holdfast_session=" + secret))
                    .isEqualTo(401);
            assertThat(get(client, "/work", "Authorization", "Bearer " + secret).statusCode())
                    .isEqualTo(401);
            admin.call("revoke_token", "token", "otto");

            Page page = browser.window("");
            page.navigate(link);
            assertThat(page.locator("[role=alert]")).containsText("revoked");
            assertThat(page.context().cookies()).isEmpty();
        }
    }

    /** What {@code holdfast open} gets. */
    private String link(String next, String token) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            String answer = client.send(
                            HttpRequest.newBuilder(URI.create(broker.url() + "/sign-in/link"))
                                    .header("Authorization", "Bearer " + token)
                                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            return broker.url() + "/sign-in?next=" + next + "#" + answer.replaceAll(".*:\\s*\"|\"\\s*}.*", "");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_link_that_brings_anything_else_signs_nobody_in() {
        Page page = browser.window("");
        for (String brought : List.of("hf_0a1b2c3d_attackers-own-token", token, "AAAAAAAA", "%E0%A4%A")) {
            page.navigate("about:blank");
            page.navigate(broker.url() + "/sign-in?next=/work#" + brought);

            assertThat(page).hasURL(broker.url() + "/sign-in?next=/work");
            assertThat(page.locator("[name=token]")).hasValue("");
        }
        assertThat(page.context().cookies()).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void programs_are_refused_as_before_and_only_what_the_page_needs_is_open() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(get(client, "/", "Accept", "application/json").body()).contains("\"unauthorized\"");
            assertThat(get(client, "/api/v1/who", "Accept", "text/html").statusCode())
                    .isEqualTo(401);
            assertThat(get(client, Assets.at("holdfast.css"), "Accept", "text/css")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(get(client, "/ui/assets/0a/../../metrics", "Accept", "*/*")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(get(client, "/ui/find?q=ab", "Accept", "*/*").statusCode())
                    .isEqualTo(401);
            for (String next : List.of("//evil.example/", "/%09/evil.example", "/a%0ab", "/%5Cevil.example")) {
                HttpResponse<String> elsewhere = client.send(
                        HttpRequest.newBuilder(URI.create(broker.url() + "/sign-in"))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .header("Sec-Fetch-Site", "same-origin")
                                .POST(HttpRequest.BodyPublishers.ofString("token=" + token + "&next=" + next))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(elsewhere.headers().firstValue("Location")).hasValue("/");
            }
        }
    }

    /** Every action that a page offers, by the verb that it calls. */
    private static final List<String> ACTIONS =
            Actions.OFFERED.stream().sorted().toList();

    @Test
    void what_a_browser_keeps_is_no_token_and_makes_none_and_ends_for_everybody_when_it_signs_out() throws Exception {
        Page page = browser.window("");
        page.navigate(link("/work", token));
        assertThat(page).hasURL(broker.url() + "/work");
        String kept = page.context().cookies().stream()
                .filter(cookie -> cookie.name.equals("holdfast_session"))
                .map(cookie -> cookie.value)
                .findFirst()
                .orElseThrow();
        assertThat(kept).doesNotContain(token);
        assertThat(OnDashboard.post(page, "/ui/do/create_token", "name=eve&roles=admin"))
                .isIn(401, 404);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String cookie = "holdfast_session=" + kept;
            assertThat(get(client, "/work", "Cookie", cookie).statusCode()).isEqualTo(200);
            assertThat(get(client, "/api/v1/openapi.json", "Cookie", cookie).statusCode())
                    .isEqualTo(401);
            for (String path : List.of("/api/v1/openapi.json", "/mcp", "/work")) {
                assertThat(get(client, path, "Authorization", "Bearer " + kept).statusCode())
                        .as(path)
                        .isEqualTo(401);
            }
            signOut(page);
            assertThat(page.locator("h1")).hasText("This broker requires a token");
            assertThat(get(client, "/work", "Cookie", cookie).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void a_browser_stays_signed_in_through_a_restart_until_its_token_ends(@TempDir Path other) throws Exception {
        Config config = Config.in(TestSqlite.in(other), new Settings().put(Setting.LOOPBACK, "token"));
        String kept;
        String ofUser;
        try (Broker first = Broker.start(config);
                HttpClient client = HttpClient.newHttpClient()) {
            ofUser = tokenOf(other);
            try (BrokerClient admin = new BrokerClient(first.url(), ofUser)) {
                String made = admin.call("create_token", "name", "vera", "roles", List.of("viewer"))
                        .text("token");
                kept = signIn(client, first, made);
            }
            assertThat(get(client, first, "/work", kept)).isEqualTo(200);
        }
        try (Broker second = Broker.start(config);
                HttpClient client = HttpClient.newHttpClient();
                BrokerClient admin = new BrokerClient(second.url(), tokenOf(other))) {
            assertThat(get(client, second, "/work", kept)).isEqualTo(200);
            admin.call("revoke_token", "token", "vera");
            assertThat(get(client, second, "/work", kept)).isEqualTo(401);
        }
    }

    @Test
    void what_an_open_page_is_told_ends_when_its_browser_signs_out() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient();
                BrokerClient admin = new BrokerClient(broker.url(), token)) {
            String kept = signIn(client, broker, token);
            HttpRequest live = HttpRequest.newBuilder(URI.create(broker.url() + "/ui/live"))
                    .header("Cookie", kept)
                    .build();
            InputStream told =
                    client.send(live, HttpResponse.BodyHandlers.ofInputStream()).body();
            signOut(client, kept);
            admin.call("create_work", "title", "Something new");

            try {
                assertThat(CompletableFuture.supplyAsync(() -> read(told)))
                        .succeedsWithin(Duration.ofSeconds(20), InstanceOfAssertFactories.STRING)
                        .doesNotContain("changed");
            } finally {
                client.shutdownNow();
            }
        }
    }

    @Test
    void where_no_token_is_needed_a_browser_whose_token_was_revoked_is_let_in_as_without(@TempDir Path other)
            throws Exception {
        try (Broker open = Broker.start(Config.in(TestSqlite.in(other)));
                HttpClient client = HttpClient.newHttpClient();
                BrokerClient admin = new BrokerClient(open)) {
            String kept = signIn(
                    client,
                    open,
                    admin.call("create_token", "name", "vera", "roles", List.of("viewer"))
                            .text("token"));
            admin.call("revoke_token", "token", "vera");

            assertThat(get(client, open, "/work", kept)).isEqualTo(200);
        }
    }

    @Test
    void an_action_after_the_session_ended_elsewhere_says_to_sign_in_and_asks_for_no_name() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient();
                BrokerClient admin = new BrokerClient(broker.url(), token)) {
            Made made = made(admin, "c");
            Page page =
                    browser.window(Browser.Size.DESKTOP, ColorScheme.LIGHT); // not to be used again: its clock is ours
            page.clock().install();
            page.navigate(link("/reviews/" + made.review(), token));
            page.getByText("Who are you?").first().click();
            page.locator("#person input[name=name]").fill("mira");
            page.getByText("Use this name").click();
            assertThat(page.locator(".who-am")).containsText("mira");
            assertThat(page.locator("#live")).containsText("Live");
            String kept = page.context().cookies().stream()
                    .filter(cookie -> cookie.name.equals("holdfast_session"))
                    .map(cookie -> cookie.name + "=" + cookie.value)
                    .findFirst()
                    .orElseThrow();

            page.waitForResponse(
                    answer -> answer.url().endsWith("/ui/find"), // the stream has ended, and the page asks why
                    () -> {
                        signOut(client, kept);
                        admin.call("claim_review", "review_id", made.review(), "reviewer_id", "ann");
                        admin.call("release_review", "review_id", made.review(), "reviewer_id", "ann");
                    });
            page.getByText("Claim it").click();
            assertThat(page.locator(".toast.bad")).containsText("You are signed out");
            assertThat(page.locator(".toast.bad a")).hasAttribute("href", "/sign-in");
            assertThat(page.locator("#person")).isHidden();

            page.clock().fastForward(11_000);
            assertThat(page.locator("#stale")).containsText("You are signed out");
            assertThat(page.locator("#stale a")).isVisible();
        }
    }

    private void signOut(HttpClient client, String kept) {
        try {
            client.send(
                    HttpRequest.newBuilder(URI.create(broker.url() + "/sign-out"))
                            .header("Cookie", kept)
                            .header("Sec-Fetch-Site", "same-origin")
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Until it ends. */
    private static String read(InputStream told) {
        try {
            return new String(told.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String signIn(HttpClient client, Broker broker, String token) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create(broker.url() + "/sign-in"))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .header("Sec-Fetch-Site", "same-origin")
                                .POST(HttpRequest.BodyPublishers.ofString("token=" + token))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .replaceAll(";.*", "");
    }

    private static int get(HttpClient client, Broker broker, String path, String cookie) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create(broker.url() + path))
                                .header("Cookie", cookie)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void whoever_has_a_viewers_token_sees_no_actions_and_can_do_none() throws IOException {
        assertThat(offered()).containsExactlyElementsOf(ACTIONS);
        try (BrokerClient admin = new BrokerClient(broker.url(), token)) {
            Made made = made(admin, "a");
            String viewer = admin.call("create_token", "name", "vera", "roles", List.of("viewer"))
                    .text("token");
            Page page = browser.window("");
            page.navigate(link(made.item(), viewer));
            page.getByText("Sign in as vera").click();
            assertThat(page.locator("h1")).hasText("First");
            assertThat(page.locator(".who-am")).containsText("vera");

            for (String path : made.pages()) {
                assertThat(content(page, path))
                        .as(path)
                        .contains("vera")
                        .doesNotContain("hx-post", "/ui/do/", "data-each", "name=\"pick\"", "data-open=\"new-item\"");
            }
            for (String action : ACTIONS) {
                assertThat(OnDashboard.post(page, "/ui/do/" + action, made.fields()))
                        .as(action)
                        .isEqualTo(403);
            }
            for (String own : List.of("/reviews/" + made.review() + "/draft", "/reviews/" + made.review() + "/read")) {
                assertThat(OnDashboard.post(page, own, "draft=a&file=0"))
                        .as(own)
                        .isEqualTo(403);
            }
            assertThat(OnDashboard.post(page, "/ui/matching/reviews", "verb=withdraw_review&reason=x"))
                    .isEqualTo(403);
            assertThat(admin.call("get_review_status", "review_id", made.review())
                            .text("status"))
                    .isEqualTo("pending");
        }
    }

    @Test
    void a_token_of_some_projects_gets_a_page_that_says_what_it_may_do_and_a_program_gets_json() throws Exception {
        try (BrokerClient admin = new BrokerClient(broker.url(), token);
                HttpClient client = HttpClient.newHttpClient()) {
            String shop = admin.call(
                            "create_token",
                            "name",
                            "shop-bot",
                            "roles",
                            List.of("worker", "reviewer"),
                            "projects",
                            List.of("shop"))
                    .text("token");
            Page page = browser.window("");
            page.navigate(broker.url() + "/sign-in?next=/work");
            page.locator("[name=token]").fill(shop);
            page.getByText("Sign in").last().click();

            assertThat(page.locator("h1")).hasText("This token cannot open the dashboard");
            assertThat(page.locator("main")).containsText("shop-bot is for shop only");
            assertThat(page.locator(".may li")).hasCount(2);
            assertThat(page.locator(".may")).containsText("review the changes of others");
            assertThat(page.navigate(broker.url() + "/reviews").status()).isEqualTo(403);
            assertThat(Axe.serious(page)).isEmpty();
            assertThat(get(client, "/reviews", "Authorization", "Bearer " + shop)
                            .body())
                    .contains("\"forbidden\"");
            page.getByText("Use another token").click();
            assertThat(page.locator("h1")).hasText("This broker requires a token");
        }
    }

    @Test
    void a_page_offers_what_the_roles_of_a_token_allow_and_nothing_else() {
        try (BrokerClient admin = new BrokerClient(broker.url(), token)) {
            Made made = made(admin, "b");
            String reviewer = admin.call("create_token", "name", "rene", "roles", List.of("reviewer"))
                    .text("token");
            Page page = browser.window("");
            page.navigate(link("/work", reviewer));
            page.getByText("Sign in as rene").click();

            assertThat(page.locator(".who-am")).containsText("rene");
            assertThat(content(page, "/reviews/" + made.review()))
                    .contains("/ui/do/claim_review")
                    .doesNotContain("/ui/do/withdraw_review", "/ui/do/close_review");
            assertThat(content(page, made.item())).doesNotContain("/ui/do/");
        }
    }

    /** Something that could be acted on, on every page. */
    private record Made(String review, String item, String task) {
        List<String> pages() {
            return List.of(
                    "/",
                    "/reviews",
                    "/reviews/" + review,
                    "/reviews/" + review + "?view=split",
                    "/work",
                    "/work?view=holder",
                    "/work?view=list",
                    item,
                    "/tasks",
                    "/tasks/" + task,
                    "/pool",
                    "/agents",
                    "/events",
                    "/settings");
        }

        /** The fields of all forms together. */
        String fields() {
            return "id=" + item.substring(item.lastIndexOf('/') + 1) + "&review_id=" + review + "&task_id=" + task
                    + "&resource=review:" + review
                    + "&claim_generation=1&reason=x&body=x&sender_role=reviewer&verdict=approved&title=x&reviewer_id=x&status=blocked";
        }
    }

    private static Made made(BrokerClient admin, String name) {
        admin.call("create_work", "id", "hf-" + name, "title", "First");
        admin.call("create_work", "id", "hf-held-" + name, "title", "Held");
        admin.call("claim_work", "id", "hf-held-" + name, "holder", "ann");
        return new Made(
                admin.call("create_review", "intent", "Count", "agent_type", "claude", "description", "d")
                        .text("review_id"),
                "/work/hf-" + name,
                admin.call("create_task", "name", "t", "steps", List.of(Map.of("key", "one")))
                        .text("task_id"));
    }

    private static List<String> offered() throws IOException {
        Pattern action = Pattern.compile("/ui/do/([a-z_]+)");
        try (Stream<Path> files = Files.walk(Path.of("src/main/jte"))) {
            List<String> found = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                action.matcher(Files.readString(file)).results().forEach(one -> found.add(one.group(1)));
            }
            return found.stream().distinct().sorted().toList();
        }
    }

    private static String content(Page page, String path) {
        return String.valueOf(page.evaluate("path => fetch(path).then(answer => answer.text())", path));
    }

    private HttpResponse<String> get(HttpClient client, String path, String header, String value) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(broker.url() + path))
                        .header(header, value)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
