package dev.holdfast.git;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** How a git command ended, and its output. */
public record GitResult(int exitCode, byte[] output, String errors) {
    public boolean succeeded() {
        return exitCode == 0;
    }

    /** The output without its last newline. */
    public String text() {
        String text = new String(output, StandardCharsets.UTF_8);
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    public List<String> lines() {
        return text().lines().toList();
    }
}
