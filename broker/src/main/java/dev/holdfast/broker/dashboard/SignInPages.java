package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.api.Replies;
import dev.holdfast.broker.auth.SignIn;
import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.token.PageSessions;
import dev.holdfast.token.Role;
import dev.holdfast.token.TeamToken;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpCookie;
import org.jspecify.annotations.Nullable;

/**
 * Where a person enters a token, if the broker requires one: the token of the broker's own user, or one of the team's.
 * The browser gets a session for it, in a cookie that no script can read; the token itself is stored nowhere.
 */
public final class SignInPages {
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.~+/=-]{8,300}");
    private static final Pattern LINK = Pattern.compile(PageSessions.LINK_PREFIX + "[A-Za-z0-9_-]{43}");

    private final Templates templates;
    private final PageSessions sessions;

    SignInPages(Templates templates, PageSessions sessions) {
        this.templates = templates;
        this.sessions = sessions;
    }

    /**
     * What the page shows.
     *
     * @param next where to go after signing in
     * @param problem what was wrong with the last token or link; empty: nothing
     * @param link asks whether to sign in by it; null: asks for a token
     */
    public record View(
            String next, String problem, @Nullable Link link) {}

    /**
     * Somebody's link that signs in.
     *
     * @param secret the end of the link
     * @param name whose it is
     */
    public record Link(String secret, String name) {}

    /**
     * What somebody sees whose token is limited to some projects, because the pages show all of them.
     *
     * @param signedIn with a browser session
     */
    public record Confined(TeamToken token, boolean signedIn) {
        public List<String> may() {
            return token.roles().stream().sorted().map(Confined::may).toList();
        }

        private static String may(Role role) {
            return switch (role) {
                case PROPOSER -> "propose changes and respond to verdicts on them";
                case REVIEWER -> "review the changes of others";
                case WORKER -> "claim work items and steps, and reserve files";
                case PROCESSOR -> "create and finish tasks";
                case VIEWER -> "read";
                case ADMIN -> "do everything, including tokens";
            };
        }

        /** A command to start with. */
        public String command() {
            return "holdfast work list --queue " + token.projects().getFirst();
        }
    }

    /** Says why there is no page now, without anything that would need the store. */
    void trouble(Context request, Answer answer) {
        request.status(answer.status());
        if (answer.refusal() == RefusalCode.BUSY) {
            Object seconds = answer.body().get("retry_after_seconds");
            request.header("Retry-After", seconds instanceof Number number ? Long.toString(number.longValue()) : "1");
        }
        page(request, "trouble", String.valueOf(answer.body().get("error")));
    }

    /** {@code GET /sign-in}, and every page that is requested without a token. */
    void show(Context request) {
        if (request.attribute(SignIn.TROUBLE) instanceof Answer answer) {
            trouble(request, answer);
            return;
        }
        if (request.attribute(SignIn.CONFINED) instanceof TeamToken token) {
            request.status(403);
            page(request, "confined", new Confined(token, SignIn.kept(request).isPresent()));
            return;
        }
        String wanted = request.attribute(SignIn.FOR);
        boolean wrong = request.attribute(SignIn.WRONG) != null;
        if (wanted != null) {
            request.status(401).header("WWW-Authenticate", "Bearer realm=\"holdfast\"");
        }
        page(
                request,
                new View(
                        wanted != null ? within(wanted) : within(request.queryParam("next")),
                        wrong ? "You are no longer signed in." : "",
                        null));
    }

    /** {@code POST /sign-in}, with a token or with the end of a link */
    void enter(Context request) {
        String next = within(request.formParam("next"));
        if (!Secret.fromHere(request)) {
            request.status(400);
            page(request, new View(next, "That is not a token.", null));
            return;
        }
        SignIn.Exchange exchange = Objects.requireNonNull(request.attribute(SignIn.EXCHANGE));
        String link = Objects.requireNonNullElse(request.formParam("link"), "");
        SignIn.Entered entered = LINK.matcher(link).matches()
                ? exchange.follow(link, SignIn.kept(request).orElse(null), request.formParam("sure") != null)
                : enter(request, exchange);
        switch (entered) {
            case SignIn.Entered.In(String session) -> {
                SignIn.kept(request).ifPresent(sessions::end);
                keep(request, SignIn.cookie(session, request.req().isSecure()));
                leave(request, next);
            }
            case SignIn.Entered.Unsure(TeamToken token) ->
                page(request, new View(next, "", new Link(link, token.name())));
            case SignIn.Entered.Out(String problem) -> {
                request.status(401);
                page(request, new View(next, problem, null));
            }
        }
    }

    private static SignIn.Entered enter(Context request, SignIn.Exchange exchange) {
        String given =
                Objects.requireNonNullElse(request.formParam("token"), "").strip();
        return TOKEN.matcher(given).matches()
                ? exchange.enter(new Token(given))
                : new SignIn.Entered.Out("That is not a token.");
    }

    /** {@code POST /sign-in/link}, for programs: what to put after the # of a link to the sign-in page. */
    void link(Context request) {
        SignIn.Exchange exchange = Objects.requireNonNull(request.attribute(SignIn.EXCHANGE));
        Replies.send(request, 200, Answer.of(Map.of("link", exchange.link())));
    }

    /** {@code POST /sign-out} */
    void leave(Context request) {
        if (Secret.fromHere(request)) {
            SignIn.kept(request).ifPresent(sessions::end);
            keep(request, SignIn.forgotten(request.req().isSecure()));
        }
        leave(request, SignIn.PATH);
    }

    private static void leave(Context request, String next) {
        request.status(303).header("Location", next);
    }

    private void page(Context request, View view) {
        page(request, "sign-in", view);
    }

    private void page(Context request, String template, Object view) {
        request.header("Cache-Control", "no-store");
        request.contentType("text/html; charset=utf-8");
        request.result(templates.render(template, Map.of("view", view)));
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

    /** Always a page of this broker, whatever the request says: no open redirects. */
    private static String within(@Nullable String said) {
        return said == null || !said.matches("/([^/\\\\\\p{Cntrl}]\\P{Cntrl}*)?") || said.startsWith(SignIn.PATH)
                ? "/"
                : said;
    }
}
