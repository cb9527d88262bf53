package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders, in memory if possible: stores sync at every commit, and tests kill processes, never the machine.
 * JUnit uses it for {@code @TempDir} too.
 */
public final class TemporaryFolders implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** What the databases of all test processes take at most, and as much again. */
    private static final long ROOM = 8L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) {
        return create();
    }

    public static Path create() {
        return create(0);
    }

    /** For hundreds of databases: in memory only where there is plenty of it. */
    static Path createRoomy() {
        return create(ROOM);
    }

    private static Path create(long room) {
        try {
            return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= room
                    ? Files.createTempDirectory(MEMORY, "holdfast-test")
                    : Files.createTempDirectory("holdfast-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
