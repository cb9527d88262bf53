package dev.holdfast.broker.mcp;

import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;

/** Whether a client accepts JSON. MCP requires clients to accept event streams too, but none are sent here. */
final class AcceptHeader {
    private static final Set<String> RANGES = Set.of("application/json", "application/*", "*/*");

    private AcceptHeader() {}

    /** @param headers all Accept headers; without any, everything is accepted */
    static boolean json(Enumeration<String> headers) {
        String[] ranges = String.join(",", Collections.list(headers)).split(",");
        return Arrays.stream(ranges).allMatch(String::isBlank)
                || Arrays.stream(ranges).anyMatch(AcceptHeader::isJson);
    }

    private static boolean isJson(String range) {
        String[] parts = range.toLowerCase(Locale.ROOT).split(";");
        return RANGES.contains(parts[0].strip())
                && Arrays.stream(parts).skip(1).map(String::strip).noneMatch(part -> part.matches("q=0(\\.0*)?"));
    }
}
