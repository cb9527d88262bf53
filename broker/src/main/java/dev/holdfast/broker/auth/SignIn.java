package dev.holdfast.broker.auth;

import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.token.PageSessions;
import dev.holdfast.token.TeamToken;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a browser signed in, with a cookie that scripts cannot read and that other sites' pages cannot make it send.
 * The cookie is not the token that was entered ({@link PageSessions}) and works for pages only; programs send a token
 * in a header.
 */
public final class SignIn {
    /** Where a person enters a token; open to everybody. */
    public static final String PATH = "/sign-in";

    /** Where a program gets the secret of a link that signs a browser in. */
    public static final String LINK = "/sign-in/link";

    /** Where a browser signs out, whatever its token allows. */
    public static final String LEAVE = "/sign-out";

    /** Request attribute: the address of the page that was requested without a token that gives access to it. */
    public static final String FOR = "dev.holdfast.sign-in.for";

    /** Request attribute, set if such a request came with an invalid token. */
    public static final String WRONG = "dev.holdfast.sign-in.wrong";

    /** Request attribute: the token of such a request if it is valid, but not for pages. */
    public static final String CONFINED = "dev.holdfast.sign-in.confined";

    /** Request attribute: the answer to such a request if it could not even be checked, or not now. */
    public static final String TROUBLE = "dev.holdfast.sign-in.trouble";

    /** Request attribute of a sign-in: its {@link Exchange}. */
    public static final String EXCHANGE = "dev.holdfast.sign-in.exchange";

    /** What a caller gets for a token or a link, if that is valid for this caller. */
    public interface Exchange {
        /** Signs a browser in with a token. */
        Entered enter(Token token);

        /**
         * Signs a browser in by a link.
         *
         * @param kept the session that the browser has; null: none
         * @param sure whether the person has seen whose link it is; anybody on a team can send one
         */
        Entered follow(String link, @Nullable String kept, boolean sure);

        /**
         * Makes the secret of a link for the caller's token.
         *
         * @throws RefusedException if it sent none that is valid
         */
        String link();
    }

    /** What became of an attempt to sign in. */
    public sealed interface Entered {
        /** @param session what the browser stores */
        record In(String session) implements Entered {}

        /** The person has to confirm that this is their token. */
        record Unsure(TeamToken token) implements Entered {}

        record Out(String problem) implements Entered {}
    }

    private static final String COOKIE = "holdfast_session";
    /** The sign-in page's own files. Spelled out, because paths are compared as sent. */
    private static final Pattern FILES = Pattern.compile("/ui/assets/[0-9a-f]+/(js/)?[a-z]+\\.(css|js|svg)");

    private static final Set<String> MCP = Arrays.stream(Toolset.values())
            .flatMap(toolset -> toolset.paths().stream())
            .collect(Collectors.toUnmodifiableSet());

    private SignIn() {}

    /** The cookie that the browser stores. */
    public static HttpCookie cookie(String session, boolean secure) {
        return cookie(session, PageSessions.LONGEST, secure);
    }

    /** The cookie that makes the browser forget the session. */
    public static HttpCookie forgotten(boolean secure) {
        return cookie("", Duration.ZERO, secure);
    }

    private static HttpCookie cookie(String value, Duration kept, boolean secure) {
        return HttpCookie.build(COOKIE, value)
                .path("/")
                .maxAge(kept.toSeconds())
                .httpOnly(true)
                .secure(secure)
                .sameSite(HttpCookie.SameSite.STRICT)
                .build();
    }

    /** The session that a browser sends for a page; empty for anything that is not a page. */
    static Optional<String> shown(Request request, String path) {
        return isForPrograms(path)
                ? Optional.empty()
                : Request.getCookies(request).stream()
                        .filter(cookie -> cookie.getName().equals(COOKIE))
                        .map(HttpCookie::getValue)
                        .filter(SignIn::isSession)
                        .findFirst();
    }

    /** Whether this looks like a browser's session, which programs may not send as a token. */
    static boolean isSession(String text) {
        return text.startsWith(PageSessions.PREFIX);
    }

    /** The session that this browser has stored; empty: none. */
    public static Optional<String> kept(Context request) {
        return Optional.ofNullable(request.cookie(COOKIE)).filter(SignIn::isSession);
    }

    /** Whether the sign-in page needs this file. */
    static boolean needs(String path) {
        return FILES.matcher(path).matches();
    }

    /** Whether a person is asking for a page, and can be told there what to do. */
    static boolean wantsPage(Request request, String path) {
        String accepted = request.getHeaders().get(HttpHeader.ACCEPT);
        return HttpMethod.GET.is(request.getMethod())
                && accepted != null
                && accepted.contains("text/html")
                && !isForPrograms(path);
    }

    /** The same request, redirected internally to the sign-in page. */
    static Request instead(Request request, boolean wrong) {
        request.setAttribute(FOR, request.getHttpURI().getPathQuery());
        if (wrong) {
            request.setAttribute(WRONG, true);
        }
        HttpURI there = HttpURI.build(request.getHttpURI(), PATH, null, null).asImmutable();
        return new Request.Wrapper(request) {
            @Override
            public HttpURI getHttpURI() {
                return there;
            }
        };
    }

    /** Whether only programs call this path, whatever they accept. */
    public static boolean isForPrograms(String path) {
        return path.startsWith("/api/") || path.startsWith("/hooks/") || isOfMcp(path);
    }

    static boolean isOfMcp(String path) {
        return MCP.contains(path) || path.startsWith("/mcp/");
    }
}
