package dev.holdfast.claim;

import java.nio.charset.StandardCharsets;

/**
 * Something that can be claimed, written {@code kind:id}, such as {@code path:src/Main.java}. The id is literal text.
 */
public record Resource(Kind kind, String id) {
    public Resource {
        Text.storable("resource", id);
        if (id.isBlank()) {
            throw new InvalidException("resource '" + kind + ":' has no id; write it as kind:id, such as key:deploy");
        }
        if (id.length() > Text.LONGEST_ID_BYTES / 3 // only longer ids can exceed the limit in UTF-8
                && id.getBytes(StandardCharsets.UTF_8).length > Text.LONGEST_ID_BYTES) {
            throw new InvalidException("resource id is longer than " + Text.LONGEST_ID_BYTES + " bytes");
        }
    }

    public static Resource parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new InvalidException(
                    "resource '" + shortened(text) + "' must be written kind:id, such as key:deploy");
        }
        String word = text.substring(0, colon);
        Kind kind = Kind.of(word)
                .orElseThrow(() -> new InvalidException(
                        "resource kind '" + shortened(word) + "' is unknown; the kinds are " + Kind.words()));
        return new Resource(kind, text.substring(colon + 1));
    }

    public static Resource key(String id) {
        return new Resource(Kind.KEY, id);
    }

    private static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    @Override
    public String toString() {
        return kind + ":" + id;
    }
}
