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

/** A secret that proves who its owner is: 256 random bits. */
public record Token(String text) {
    private static final int BYTES = 32;
    private static final String SCHEME = "bearer ";

    public static Token random(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Token(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** The token in an authorization header, if there is one. */
    public static Optional<Token> shown(@Nullable String authorization) {
        return authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)
                ? Optional.of(new Token(authorization.substring(SCHEME.length()).strip()))
                : Optional.empty();
    }

    /** Whether it looks like a team token; those are in the store. */
    public boolean isOfTeam() {
        return text.startsWith(Tokens.PREFIX);
    }

    /** Compares in constant time. */
    public boolean matches(Token other) {
        return MessageDigest.isEqual(
                text.getBytes(StandardCharsets.UTF_8), other.text.getBytes(StandardCharsets.UTF_8));
    }

    /** Identifies the token without revealing it. */
    public String hash() {
        return Sha256.hex(text);
    }

    /** Hides the secret from logs. */
    @Override
    public String toString() {
        return "Token";
    }
}
