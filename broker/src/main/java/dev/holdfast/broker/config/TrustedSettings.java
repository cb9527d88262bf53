package dev.holdfast.broker.config;

import dev.holdfast.store.PrivateFolder;
import dev.holdfast.store.Sha256;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records which settings of working folders the user trusts, in a folder that only the user can write. Each entry is a
 * file named {@code <sha256 of the content>-<sha256 of the path>} that contains the path, so changed content, or the
 * same content elsewhere, is not trusted. The config file's owner and permissions do not matter: any change to it ends
 * the trust.
 */
public final class TrustedSettings {
    private static final Pattern NAME = Pattern.compile("([0-9a-f]{64})-[0-9a-f]{64}");

    private final Path folder;

    public TrustedSettings(UserFolders folders) {
        folder = folders.state().resolve("trusted");
    }

    /** A file that the user has trusted, and since when. */
    public record Entry(Path file, String sha256, Instant since) {}

    /** @throws ConfigException when others could have written to the trust folder */
    public boolean has(FolderConfig config) {
        if (!Files.isRegularFile(entry(config), LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try {
            if (isWritableByOthers()) {
                throw new ConfigException(List.of(folder
                        + ": other users can write here, so it is ignored; delete it, then trust your files again"));
            }
            return true;
        } catch (IOException e) {
            throw new ConfigException(List.of(folder + ": cannot be read: " + e.getMessage()));
        }
    }

    private boolean isWritableByOthers() throws IOException {
        if (!isPosix(folder)) {
            return false;
        }
        PosixFileAttributes about = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return ProcessHandle.current()
                        .info()
                        .user()
                        .filter(user -> !user.equals(about.owner().getName()))
                        .isPresent()
                || about.permissions().contains(PosixFilePermission.GROUP_WRITE)
                || about.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    }

    public void add(FolderConfig config) throws IOException {
        PrivateFolder.make(Objects.requireNonNull(folder.getParent()), true);
        PrivateFolder.make(folder, true);
        Path made = Files.createTempFile(folder, "new", ""); // private from the start
        Files.writeString(made, config.file().toString());
        Files.move(made, entry(config), StandardCopyOption.ATOMIC_MOVE);
    }

    /** All entries, sorted by path, then oldest first. */
    public List<Entry> all() throws IOException {
        List<Entry> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    all.add(new Entry(
                            Path.of(Files.readString(file)),
                            name.group(1),
                            Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.SECONDS)));
                }
            }
        } catch (NoSuchFileException _) {
            return List.of();
        }
        all.sort(Comparator.comparing(Entry::file).thenComparing(Entry::since));
        return all;
    }

    /** Removes all trust in this path, whatever the content; returns how many entries there were. */
    public int remove(Path file) throws IOException {
        int removed = 0;
        for (Entry entry : all()) {
            if (entry.file().equals(file)) {
                Files.deleteIfExists(entry(entry.sha256(), entry.file()));
                removed++;
            }
        }
        return removed;
    }

    private Path entry(FolderConfig config) {
        return entry(config.sha256(), config.file());
    }

    private Path entry(String sha256, Path file) {
        return folder.resolve(sha256 + "-" + Sha256.hex(file.toString()));
    }

    private static boolean isPosix(Path folder) throws IOException {
        return Files.getFileStore(folder).supportsFileAttributeView("posix");
    }
}
