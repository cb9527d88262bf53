package dev.holdfast.broker.mcp;

import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;

/** Whether a client takes JSON for an answer. MCP asks clients to accept event streams too, which are never sent here. */
final class Accepted {
    private static final Set<String> RANGES = Set.of("application/json", "application/*", "*/*");

    private Accepted() {}

    /** @param headers all headers Accept; none at all accepts everything */
    static boolean json(Enumeration<String> headers) {
        String[] ranges = String.join(",", Collections.list(headers)).split(",");
        return Arrays.stream(ranges).allMatch(String::isBlank)
                || Arrays.stream(ranges).anyMatch(Accepted::isJson);
    }

    private static boolean isJson(String range) {
        String[] parts = range.toLowerCase(Locale.ROOT).split(";");
        return RANGES.contains(parts[0].strip())
                && Arrays.stream(parts).skip(1).map(String::strip).noneMatch(part -> part.matches("q=0(\\.0*)?"));
    }
}
