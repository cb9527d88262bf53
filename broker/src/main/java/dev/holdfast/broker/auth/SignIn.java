package dev.holdfast.broker.auth;

import dev.holdfast.broker.token.Token;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.Request;

/**
 * How a browser shows a token: in a cookie that no script can read and that no other site's page makes it send. Only pages are
 * opened by it; programs send a header.
 */
public final class SignIn {
    /** Where a person hands in a token; it is open to everybody. */
    public static final String PATH = "/sign-in";

    private static final String COOKIE = "holdfast_token";
    private static final Duration KEPT = Duration.ofDays(30);

    private SignIn() {}

    /** What a browser is to keep. */
    public static HttpCookie cookie(Token token, boolean secure) {
        return cookie(token.text(), KEPT, secure);
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
    static Optional<Token> shown(Request request, String path) {
        return isForPrograms(path)
                ? Optional.empty()
                : Request.getCookies(request).stream()
                        .filter(cookie -> cookie.getName().equals(COOKIE))
                        .map(HttpCookie::getValue)
                        .filter(value -> !value.isBlank())
                        .map(Token::new)
                        .findFirst();
    }

    private static boolean isForPrograms(String path) {
        return path.startsWith("/api/")
                || path.startsWith("/hooks/")
                || path.endsWith("/mcp")
                || path.startsWith("/mcp/");
    }
}
