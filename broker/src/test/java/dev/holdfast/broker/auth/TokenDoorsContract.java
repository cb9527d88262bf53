package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.token.Role;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which doors a token or the session of a browser opens. */
abstract class TokenDoorsContract extends TeamClient {
    TokenDoorsContract(TeamBroker team) {
        super(team);
    }

    @Test
    void however_an_address_is_written_it_opens_to_nobody_else() throws Exception {
        String shop = create("shop-reader", Role.VIEWER, "projects", List.of("shop"));
        for (String written : List.of(
                "/api/v1/events/?after=0",
                "/api/v1/events//?after=0",
                "/api/v1/events;a=b?after=0",
                "/api/v1/%65vents?after=0",
                "/api/v1//events?after=0",
                "/api/v1/x/../events?after=0",
                "/API/v1/events?after=0",
                "/ui/live/",
                "/reviews/",
                "/metrics/")) {
            var answer = stream(written, "Authorization", "Bearer " + shop);
            answer.body().close();
            assertThat(answer.statusCode()).as(written).isIn(400, 403, 404);
        }
        String cookie = signedIn(token(Role.WORKER));
        for (String written : List.of("/work/mcp", "/work/mcp/", "/mcp/", "/mcp/all/", "/api/v1/openapi.json/")) {
            assertThat(browse(written, cookie).status()).as(written).isEqualTo(401);
        }
        assertThat(get(token(Role.VIEWER), "/reviews/").status())
                .as("the same page, to whoever may see it")
                .isEqualTo(200);
        assertThat(get(null, "/healthz/").status()).isEqualTo(200);
    }

    @Test
    void a_browser_signs_in_with_its_token_and_keeps_a_session_which_opens_pages_and_nothing_else() {
        String viewer = token(Role.VIEWER);
        String cookie = signedIn(viewer);
        assertThat(cookie).doesNotContain(viewer);
        assertThat(browse("/", cookie).raw().body()).contains("the-viewer");
        assertThat(browse("/", "holdfast_session=hfp_nothing").status()).isEqualTo(401);
        assertThat(browse("/", "holdfast_session=" + viewer).status()).isEqualTo(401);
        assertThat(browse("/api/v1/openapi.json", cookie).status()).isEqualTo(401);
        assertThat(get(cookie.replace("holdfast_session=", ""), "/api/v1/openapi.json")
                        .status())
                .isEqualTo(401);
        var kept = SignIn.cookie("hfp_x", true);
        assertThat(kept.isHttpOnly()).isTrue();
        assertThat(kept.isSecure()).isTrue();
        assertThat(kept.getSameSite()).isEqualTo(org.eclipse.jetty.http.HttpCookie.SameSite.STRICT);
    }

    @Test
    void a_session_ends_with_the_secret_that_it_was_made_from() {
        String first = create("browsing", Role.VIEWER);
        String cookie = signedIn(first);
        user.call("rotate_token", "token", "browsing", "grace_seconds", 3_600);
        assertThat(browse("/", cookie).status()).as("in its grace").isEqualTo(200);
        user.call("rotate_token", "token", "browsing");
        assertThat(browse("/", cookie).status()).isEqualTo(401);
    }

    private Reply browse(String path, String cookie) {
        return user.send(HttpRequest.newBuilder(URI.create(broker.url() + path))
                        .header("Cookie", cookie)
                        .GET())
                .join();
    }
}
