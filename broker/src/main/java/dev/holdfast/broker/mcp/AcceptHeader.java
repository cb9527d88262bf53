package dev.holdfast.broker.mcp;

import java.util.Arrays;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;

/** Whether a client accepts JSON. MCP requires clients to accept event streams too, but none are sent here. */
final class AcceptHeader {
    private static final Set<String> RANGES = Set.of("application/json", "application/*", "*/*");

    private AcceptHeader() {}

    /** @param headers all Accept headers; without any, everything is accepted */
    static boolean json(Enumeration<String> headers) {
        boolean named = false;
        while (headers.hasMoreElements()) {
            for (String range : headers.nextElement().split(",")) {
                if (isJson(range)) {
                    return true;
                }
                named |= !range.isBlank();
            }
        }
        return !named;
    }

    private static boolean isJson(String range) {
        String[] parts = range.toLowerCase(Locale.ROOT).split(";", -1);
        return RANGES.contains(parts[0].strip())
                && Arrays.stream(parts, 1, parts.length)
                        .map(String::strip)
                        .noneMatch(part -> part.matches("q=0(\\.0*)?"));
    }
}
