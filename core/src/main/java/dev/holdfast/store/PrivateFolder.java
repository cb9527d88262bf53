package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that only its owner can access: mode 0700, with files of mode 0600. It is created that way, not restricted
 * afterwards. An existing folder is restricted when it is opened, which is logged.
 *
 * <p>A folder that also contains other files keeps its mode, and only our files in it are restricted: somebody may have
 * named a folder that everybody uses. A link is followed. A folder that belongs to another user, who could read and
 * change everything in it, is refused. What cannot be restricted, because its file system does not keep such
 * permissions, is logged and used anyway. On systems without POSIX permissions, such as Windows, nothing is done: there
 * a user's folders are private by default.
 */
public final class PrivateFolder {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFolder.class);
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    /** Name prefixes of what Holdfast creates in a data folder. */
    private static final List<String> OURS = List.of("holdfast.", "reviewer-logs");

    private final Path path;
    private final boolean dedicated;

    private PrivateFolder(Path path, boolean dedicated) {
        this.path = path;
        this.dedicated = dedicated;
    }

    /**
     * Creates a store's folder, or restricts the existing one if it contains only our files.
     *
     * @throws StoreException if it does not exist and cannot be created
     */
    static PrivateFolder open(Path path) {
        return open(path, false);
    }

    /**
     * As {@link #make}, for a store.
     *
     * @throws StoreException if it does not exist and cannot be created
     */
    public static PrivateFolder open(Path path, boolean dedicated) {
        try {
            return make(path, dedicated);
        } catch (IOException e) {
            String reason = switch (e) {
                case AccessDeniedException _ -> "permission denied";
                case NoSuchFileException _ -> "it cannot be created there";
                case FileAlreadyExistsException _ -> "there is a file of that name";
                default -> e.getMessage();
            };
            throw new StoreException("cannot use the folder " + path + ": " + reason, e);
        }
    }

    /**
     * Creates the folder, or restricts the existing one.
     *
     * @param dedicated the folder and everything in it is Holdfast's alone
     * @throws IOException also if it belongs to another user
     */
    public static PrivateFolder make(Path path, boolean dedicated) throws IOException {
        PrivateFolder folder = new PrivateFolder(path, dedicated);
        Files.createDirectories(path, attributes(path, FOLDER));
        if (hasPermissions(path)) {
            FolderOwner.refuseOtherOwner(path);
            folder.closeToOthers();
        }
        return folder;
    }

    public Path path() {
        return path;
    }

    /**
     * Creates an empty private file if it does not exist, so that whoever opens it next never creates one that others
     * can read.
     */
    public Path file(String name) throws IOException {
        Path file = path.resolve(name);
        try {
            Files.createFile(file, attributes(file, FILE));
        } catch (FileAlreadyExistsException _) {
            // restricted with the folder, or by whoever created it
        }
        return file;
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private void closeToOthers() throws IOException {
        PosixFileAttributes before = Files.readAttributes(path, PosixFileAttributes.class);
        List<Path> entries = entries();
        for (Path entry : entries) {
            closeEntry(entry);
        }
        if (!isOpen(before)) {
            return;
        }
        String seen = PosixFilePermissions.toString(before.permissions());
        if (!entries.stream().allMatch(this::isOurs)) {
            LOG.warn(
                    "{} is accessible to other users ({}) and stays that way, because it contains other files too; Holdfast's"
                            + " own are now private",
                    path,
                    seen);
        } else if (closed(path, FOLDER)) {
            LOG.warn("other users could read {} ({}); now they cannot", path, seen);
        } else {
            LOG.warn("other users can read {} ({}), and that cannot be changed", path, seen);
        }
    }

    private List<Path> entries() throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(path)) {
            found.forEach(entries::add);
        }
        return entries;
    }

    private boolean isOurs(Path entry) {
        String name = entry.getFileName().toString();
        return dedicated || OURS.stream().anyMatch(name::startsWith);
    }

    /** The contents of a subfolder are restricted when that folder is opened. */
    private void closeEntry(Path entry) throws IOException {
        try {
            PosixFileAttributes before =
                    Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            boolean closable = before.isRegularFile() || before.isDirectory();
            if (isOurs(entry) && closable && isOpen(before) && !closed(entry, before.isDirectory() ? FOLDER : FILE)) {
                LOG.warn("other users can read {}, and that cannot be changed", entry);
            }
        } catch (NoSuchFileException _) {
            // it was just replaced or deleted
        }
    }

    private static boolean isOpen(PosixFileAttributes attributes) {
        return !FOLDER.containsAll(attributes.permissions());
    }

    private static boolean closed(Path path, Set<PosixFilePermission> permissions) {
        try {
            Files.setPosixFilePermissions(path, permissions);
            return !isOpen(Files.readAttributes(path, PosixFileAttributes.class));
        } catch (IOException e) {
            LOG.debug("cannot change the permissions of {}", path, e);
            return false;
        }
    }
}
