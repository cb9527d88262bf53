package dev.holdfast.broker.dashboard;

import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Proof that an action comes from one of our own pages. The browser keeps the secret in a cookie that no page can read,
 * our pages carry it as well, and an action must show both. It survives a restart of the broker, so that a page that
 * was open at the time can still act.
 */
final class Secret {
    static final String HEADER = "Holdfast-Token";
    private static final String COOKIE = "holdfast_page";
    private static final int BYTES = 24;

    private final SecureRandom random = new SecureRandom();

    /** The browser's secret; a new one if it has none. */
    String of(Context request) {
        String kept = kept(request);
        if (kept != null) {
            return kept;
        }
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String made = HexFormat.of().formatHex(bytes);
        request.cookie(new Cookie(COOKIE, made, "/", -1, request.req().isSecure(), true, null, SameSite.STRICT));
        return made;
    }

    /** Whether the browser says that one of our own pages sent this. */
    static boolean fromHere(Context request) {
        String site = request.header("Sec-Fetch-Site");
        return site == null ? request.header("Origin") != null : site.equals("same-origin");
    }

    /** Whether the request comes from one of our pages. A page from another port of this machine is not one. */
    boolean shownBy(Context request) {
        if (!fromHere(request)) {
            return false;
        }
        String kept = kept(request);
        String shown = request.header(HEADER);
        return kept != null
                && shown != null
                && MessageDigest.isEqual(kept.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String kept(Context request) {
        String kept = request.cookie(COOKIE);
        return kept == null || !kept.matches("[0-9a-f]{" + 2 * BYTES + "}") ? null : kept;
    }
}
