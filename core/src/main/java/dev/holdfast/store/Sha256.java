package dev.holdfast.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 hashes, kept to recognise a text without storing it. */
public final class Sha256 {
    private Sha256() {}

    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }

    public static byte[] of(String text) {
        return digest().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** For input that is too large, or has too many parts, to be assembled first. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
