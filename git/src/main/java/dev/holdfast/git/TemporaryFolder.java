package dev.holdfast.git;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A temporary folder that only this user can read; closing it deletes it with its contents. Does not use
 * {@link Files#createTempDirectory}, whose random numbers are slow to start in a short-lived command. The name need not
 * be secret, because an existing folder is never used.
 */
final class TemporaryFolder implements AutoCloseable {
    private static final AtomicLong NEXT = new AtomicLong();
    private static final FileAttribute<?>[] OURS = File.separatorChar == '/'
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
            }
            : new FileAttribute<?>[0];

    private final Path path;

    TemporaryFolder() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        path = create(parent, "holdfast-git-" + ProcessHandle.current().pid() + "-");
    }

    private static Path create(Path parent, String prefix) throws IOException {
        while (true) {
            String moment = Long.toString(System.nanoTime(), Character.MAX_RADIX);
            try {
                return Files.createDirectory(parent.resolve(prefix + NEXT.incrementAndGet() + "-" + moment), OURS);
            } catch (FileAlreadyExistsException _) {
                // somebody else's: try another
            }
        }
    }

    Path path() {
        return path;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Removal());
        } catch (IOException _) {
            // a killed process may still be writing; the system will clean up this place eventually
        }
    }

    /** Deletes links, and never follows them. */
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
