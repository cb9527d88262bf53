package dev.holdfast.broker.token;

import dev.holdfast.store.Sha256;
import dev.holdfast.token.Tokens;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What somebody proves with that it is itself: 256 random bits, shown to nobody else. */
public record Token(String text) {
    private static final int BYTES = 32;
    private static final String SCHEME = "bearer ";

    public static Token random(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Token(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** What such a header shows, if it shows any. */
    public static Optional<Token> shown(@Nullable String authorization) {
        return authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)
                ? Optional.of(new Token(authorization.substring(SCHEME.length()).strip()))
                : Optional.empty();
    }

    /** Whether it looks like one of the team's, which are kept in the store. */
    public boolean isOfTeam() {
        return text.startsWith(Tokens.PREFIX);
    }

    /** Whether it is the same, compared in constant time. */
    public boolean matches(Token other) {
        return MessageDigest.isEqual(
                text.getBytes(StandardCharsets.UTF_8), other.text.getBytes(StandardCharsets.UTF_8));
    }

    /** Under which it can be found, and from which it can't be made again. */
    public String hash() {
        return Sha256.hex(text);
    }

    /** A secret has no business in a log. */
    @Override
    public String toString() {
        return "Token";
    }
}
