package dev.holdfast.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One of git's own files in a folder that may be a stranger's. Only a file is read, and only a small one: a pipe or a device in its
 * place would hold up the broker, and a huge one fill its memory.
 */
final class SmallFile {
    private static final int LARGEST = 1 << 20;

    private SmallFile() {}

    /** Its text; empty when there is no such file. What is no UTF-8, such as somebody's name, does not make the rest unreadable. */
    static Optional<String> read(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8));
        }
    }
}
