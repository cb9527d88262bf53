package dev.holdfast.broker.auth;

import dev.holdfast.store.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/** What somebody proves with that it is itself: 256 random bits, shown to nobody else and kept only as their hash. */
public record Token(String text) {
    private static final int BYTES = 32;

    public static Token random(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Token(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
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
