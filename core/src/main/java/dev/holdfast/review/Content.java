package dev.holdfast.review;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is up for review in one revision.
 *
 * @param diff as it was given, with its final newline; null: there is none
 * @param affectedFiles a JSON array; null when there is no diff
 * @param problem why the diff cannot be read; empty: it can
 * @param revision hash of the diff or, without one, of intent and description
 */
record Content(
        String intent,
        @Nullable String description,
        @Nullable String diff,
        @Nullable String affectedFiles,
        String revision,
        Optional<String> problem) {
    static Content of(String intent, @Nullable String description, @Nullable String diff) {
        if (diff == null) {
            return new Content(intent, description, null, null, hash(intent + '\0' + description), Optional.empty());
        }
        String whole = diff.endsWith("\n") ? diff : diff + "\n";
        return new Content(
                intent,
                description,
                whole,
                JsonMapper.shared().writeValueAsString(List.of()),
                hash(whole),
                Optional.empty());
    }

    /** The diff of a content that has one. */
    String diffText() {
        return Objects.requireNonNull(diff);
    }

    Content withDiff(String other) {
        return of(intent, description, other);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
