package dev.holdfast.broker.repository;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client says about the repository it is in, in the header
 * {@code Holdfast-Repository: name=shop&root=3f2c...&folder=%2Fsrc%2Fshop}.
 *
 * @param root the first commit; empty: unknown
 * @param folder the folder of the main working tree
 */
record RepositoryHeader(String name, String root, String folder) {
    static final int LONGEST = 8_000;
    private static final int LONGEST_NAME = 200;
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

    /** Empty when the header is missing or invalid: a header must not make a call fail. */
    static Optional<RepositoryHeader> of(@Nullable String header) {
        if (header == null || header.length() > LONGEST) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        try {
            for (String pair : header.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    values.put(
                            pair.substring(0, equals),
                            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
                }
            }
        } catch (IllegalArgumentException notEncoded) {
            return Optional.empty();
        }
        String name = values.getOrDefault("name", "").strip();
        String folder = values.getOrDefault("folder", "");
        String root = values.getOrDefault("root", "");
        return name.isEmpty() || name.length() > LONGEST_NAME || folder.isEmpty() || folder.indexOf('\0') >= 0
                ? Optional.empty()
                : Optional.of(new RepositoryHeader(name, COMMIT.matcher(root).matches() ? root : "", folder));
    }
}
