package dev.holdfast.testing;

import dev.holdfast.store.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** An empty SQLite store with tables, ready to use: creating them takes longer than most tests. */
public final class TestSqlite {
    private static final String FILE = "holdfast.db";

    private TestSqlite() {}

    private static final class Template {
        private static final byte[] BYTES = make();

        private static byte[] make() {
            Path folder = TemporaryFolders.create();
            try {
                SqliteStore.open(folder).close();
                return Files.readAllBytes(folder.resolve(FILE));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                TestStore.delete(folder);
            }
        }
    }

    /**
     * Puts a store into this folder, creating the folder if necessary, unless there is one already; returns the folder.
     */
    public static Path in(Path folder) {
        try {
            if (Files.notExists(folder)) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Path file = folder.resolve(FILE);
            if (Files.notExists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.write(file, Template.BYTES);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
