package dev.holdfast.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads one of git's own files in a folder that may be a stranger's. Reads only small regular files: a pipe or a device
 * would block the broker, and a huge file would fill its memory.
 */
final class SmallFile {
    private static final int LARGEST = 1 << 20;

    private SmallFile() {}

    /**
     * Its text; empty when there is no such file. Invalid UTF-8, as in somebody's name, does not make the rest
     * unreadable.
     */
    static Optional<String> read(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8));
        }
    }
}
