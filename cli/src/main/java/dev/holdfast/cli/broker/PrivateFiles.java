package dev.holdfast.cli.broker;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Creates folders and files that nobody else on the machine can read, and makes existing ones private. */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private PrivateFiles() {}

    public static Path folder(Path path) throws IOException {
        Files.createDirectories(path, attributes(path, FOLDER));
        return closed(path, FOLDER);
    }

    /** Creates an empty file if there is none. */
    public static Path file(Path path) throws IOException {
        try {
            return Files.createFile(path, attributes(path, FILE));
        } catch (FileAlreadyExistsException _) {
            return closed(path, FILE);
        }
    }

    /** Whether anybody but its owner can read or write it. */
    public static boolean isOpenToOthers(Path path) throws IOException {
        return hasPermissions(path) && !FOLDER.containsAll(Files.getPosixFilePermissions(path));
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static Path closed(Path path, Set<PosixFilePermission> permissions) {
        try {
            if (hasPermissions(path) && !permissions.containsAll(Files.getPosixFilePermissions(path))) {
                Files.setPosixFilePermissions(path, permissions);
            }
        } catch (IOException anothers) {
            // still usable; its owner has decided who may read it
        }
        return path;
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
