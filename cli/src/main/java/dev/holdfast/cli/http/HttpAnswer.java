package dev.holdfast.cli.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A complete answer. */
public record HttpAnswer(int status, Map<String, String> headers, byte[] body) {
    public @Nullable String header(String name) {
        return headers.get(name);
    }
}
