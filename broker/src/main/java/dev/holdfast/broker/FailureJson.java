package dev.holdfast.broker;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** How a command that the launcher runs by itself fails with {@code --json}: as those do that ask a broker. */
final class FailureJson {
    private FailureJson() {}

    static String of(int exitCode, String error) {
        Map<String, String> document = new LinkedHashMap<>();
        document.put("error", error);
        document.put("code", code(exitCode));
        return JsonMapper.shared().writeValueAsString(document);
    }

    /** As docs/cli.md has them. */
    private static String code(int exitCode) {
        return switch (exitCode) {
            case 2 -> "invalid";
            case 4 -> "not_found";
            default -> "failed";
        };
    }
}
