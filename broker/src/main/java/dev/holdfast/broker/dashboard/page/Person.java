package dev.holdfast.broker.dashboard.page;

import dev.holdfast.agent.ReservedNames;
import dev.holdfast.broker.auth.TokenGuard;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Who acts from a browser: asked once, then kept in a cookie that no script can read. */
public record Person(String name) {
    private static final String COOKIE = "holdfast_person";
    private static final int LONGEST = 60;
    private static final int KEPT = (int) Duration.ofDays(365).toSeconds();

    public Person {
        name = Text.limited("name", name.strip(), LONGEST);
        if (name.isEmpty() || !name.equals(Text.printable(name)) || name.equals("unknown")) {
            throw new InvalidException("use plain letters for your name: others see it next to what you do");
        }
        ReservedNames.check(name);
    }

    public static @Nullable Person of(Context request) {
        if (request.attribute(TokenGuard.NAME) instanceof String named) {
            return new Person(named); // whoever presents a token is who it says
        }
        String kept = request.cookie(COOKIE);
        if (kept == null) {
            return null;
        }
        try {
            return new Person(new String(Base64.getUrlDecoder().decode(kept), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException _) {
            return null; // the person is asked again
        }
    }

    public void keep(Context request) {
        String value = Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
        request.cookie(new Cookie(COOKIE, value, "/", KEPT, request.req().isSecure(), true, null, SameSite.LAX));
    }

    /** Stands for the person where there is little room. */
    public String letter() {
        return name.substring(0, name.offsetByCodePoints(0, 1));
    }
}
