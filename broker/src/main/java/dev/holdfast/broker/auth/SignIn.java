package dev.holdfast.broker.auth;

import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.token.PageSessions;
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

/**
 * How a browser stays signed in: by a cookie that no script can read and that no other site's page makes it send. It is not the token
 * that was handed in ({@link PageSessions}) and opens pages only; programs send a token in a header.
 */
public final class SignIn {
    /** Where a person hands in a token; it is open to everybody. */
    public static final String PATH = "/sign-in";

    /** Where a browser is told to forget its token, whatever that is good for. */
    public static final String LEAVE = "/sign-out";

    /** The attribute of a request that was for another page, and came without a token that opens it: that page's address. */
    public static final String FOR = "dev.holdfast.sign-in.for";

    /** The attribute of such a request that came with a token, which opens nothing. */
    public static final String WRONG = "dev.holdfast.sign-in.wrong";

    /** The attribute of such a request whose token is good, but not for pages: that token. */
    public static final String CONFINED = "dev.holdfast.sign-in.confined";

    /** The attribute of a request to sign in that has the {@link Exchange}. */
    public static final String EXCHANGE = "dev.holdfast.sign-in.exchange";

    /** Takes a token, if it is good for whoever shows it, and gives a session for it; without one it says why. */
    public interface Exchange {
        Entered enter(Token token);
    }

    /** @param session what the browser is to keep; empty: the token does not do */
    public record Entered(Optional<String> session, String problem) {}

    private static final String COOKIE = "holdfast_session";
    /** What the page itself consists of. Written out, because paths are compared as they are sent. */
    private static final Pattern FILES = Pattern.compile("/ui/assets/[0-9a-f]+/(js/)?[a-z]+\\.(css|js|svg)");

    private static final Set<String> MCP = Arrays.stream(Toolset.values())
            .flatMap(toolset -> toolset.paths().stream())
            .collect(Collectors.toUnmodifiableSet());

    private SignIn() {}

    /** What a browser is to keep. */
    public static HttpCookie cookie(String session, boolean secure) {
        return cookie(session, PageSessions.LONGEST, secure);
    }

    /** What makes a browser forget it. */
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

    /** What a browser shows for a page; empty for what is not a page. */
    static Optional<String> shown(Request request, String path) {
        return isForPrograms(path)
                ? Optional.empty()
                : Request.getCookies(request).stream()
                        .filter(cookie -> cookie.getName().equals(COOKIE))
                        .map(HttpCookie::getValue)
                        .filter(SignIn::isSession)
                        .findFirst();
    }

    /** Whether it looks like what a browser keeps; no program may show that. */
    static boolean isSession(String text) {
        return text.startsWith(PageSessions.PREFIX);
    }

    /** What this browser keeps; empty: nothing. */
    public static Optional<String> kept(Context request) {
        return Optional.ofNullable(request.cookie(COOKIE)).filter(SignIn::isSession);
    }

    /** Whether the page where a token is handed in needs this file. */
    static boolean needs(String path) {
        return FILES.matcher(path).matches();
    }

    /** Whether somebody looks at a page, who can be told there what to do. */
    static boolean wantsPage(Request request, String path) {
        String accepted = request.getHeaders().get(HttpHeader.ACCEPT);
        return HttpMethod.GET.is(request.getMethod())
                && accepted != null
                && accepted.contains("text/html")
                && !isForPrograms(path);
    }

    /** The same request, for the page where a token is handed in. */
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

    /** Whether only programs ask there, whatever they say they accept. */
    public static boolean isForPrograms(String path) {
        return path.startsWith("/api/") || path.startsWith("/hooks/") || isOfMcp(path);
    }

    static boolean isOfMcp(String path) {
        return MCP.contains(path) || path.startsWith("/mcp/");
    }
}
