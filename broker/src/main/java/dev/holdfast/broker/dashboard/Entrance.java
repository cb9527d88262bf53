package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.auth.SignIn;
import dev.holdfast.broker.token.Token;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpCookie;
import org.jspecify.annotations.Nullable;

/**
 * Where a person hands in a token, if the broker asks for one: the token of the broker's user, or one of the team's. The browser keeps
 * it in a cookie that no script can read. Whether it opens anything, the guard before all doors says at the next page.
 */
public final class Entrance {
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.~+/=-]{8,300}");

    private final Templates templates;

    Entrance(Templates templates) {
        this.templates = templates;
    }

    /**
     * What the page shows.
     *
     * @param next where to go then
     * @param problem why the last token did not do; empty: there was none
     */
    public record View(String next, String problem) {}

    /** {@code GET /sign-in}, and every page that is asked for without a token. */
    void show(Context request) {
        String wanted = request.attribute(SignIn.FOR);
        boolean wrong = request.attribute(SignIn.WRONG) != null;
        if (wanted != null) {
            request.status(401).header("WWW-Authenticate", "Bearer realm=\"holdfast\"");
        }
        page(
                request,
                new View(
                        wanted != null ? within(wanted) : within(request.queryParam("next")),
                        wrong ? "That token is unknown, expired or revoked." : ""));
    }

    /** {@code POST /sign-in} */
    void enter(Context request) {
        String given =
                Objects.requireNonNullElse(request.formParam("token"), "").strip();
        String next = within(request.formParam("next"));
        if (!Secret.fromHere(request) || !TOKEN.matcher(given).matches()) {
            request.status(400);
            page(request, new View(next, "That is not a token."));
            return;
        }
        keep(request, SignIn.cookie(new Token(given), request.req().isSecure()));
        leave(request, next);
    }

    /** {@code POST /sign-out} */
    void leave(Context request) {
        if (Secret.fromHere(request)) {
            keep(request, SignIn.forgotten(request.req().isSecure()));
        }
        leave(request, SignIn.PATH);
    }

    private static void leave(Context request, String next) {
        request.status(303).header("Location", next);
    }

    private void page(Context request, View view) {
        request.header("Cache-Control", "no-store");
        request.contentType("text/html; charset=utf-8");
        request.result(templates.render("sign-in", Map.of("view", view)));
    }

    private static void keep(Context request, HttpCookie cookie) {
        request.cookie(new Cookie(
                cookie.getName(),
                cookie.getValue(),
                cookie.getPath(),
                (int) cookie.getMaxAge(),
                cookie.isSecure(),
                cookie.isHttpOnly(),
                null,
                SameSite.STRICT));
    }

    /** A page of ours, whatever was said. */
    private static String within(@Nullable String said) {
        return said == null || !said.matches("/([^/\\\\\\p{Cntrl}]\\P{Cntrl}*)?") || said.startsWith(SignIn.PATH)
                ? "/"
                : said;
    }
}
