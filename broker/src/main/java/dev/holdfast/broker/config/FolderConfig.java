package dev.holdfast.broker.config;

import dev.holdfast.store.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The settings in a working folder's config file. The folder may be a clone of anybody's repository, so only harmless
 * settings apply until the user has {@link TrustedSettings trusted} exactly this content in exactly this place.
 *
 * @param file its real path
 * @param sha256 of the bytes from which the settings were read; they are read once, so that what is trusted, shown and
 *     used is the same
 * @param settings includes the problems if the file cannot be used
 */
public record FolderConfig(Path file, String sha256, Settings settings) {
    private static final Path OURS = Path.of(".holdfast", "config.json");
    /** The predecessor's file, from which only the reviewer pool is read. */
    private static final Path OLD = Path.of(".planning", "config.json");

    private static final int LONGEST = 1 << 20;

    /** The file that a broker in this folder reads, if there is one. */
    public static Optional<FolderConfig> find(Path folder, UserFolders folders) {
        if (isThere(folder.resolve(OURS))) {
            return Optional.of(read(folder, OURS));
        }
        if (!isThere(folder.resolve(OLD)) || Files.exists(folders.config().resolve("config.json"))) {
            return Optional.empty();
        }
        FolderConfig old = read(folder, OLD);
        boolean silent =
                old.settings.problems().isEmpty() && old.settings.needTrust().isEmpty();
        return silent ? Optional.empty() : Optional.of(old);
    }

    /** @throws ConfigException when this is not a file name that a broker reads from a folder */
    public static FolderConfig at(Path file) {
        Path whole = file.toAbsolutePath();
        for (Path name : List.of(OURS, OLD)) {
            if (whole.endsWith(name)) {
                return read(parent(parent(whole)), name);
            }
        }
        throw new ConfigException(List.of(file + ": only " + OURS + " and " + OLD
                + " of a folder need trust; name any other file with --config, and it applies in full"));
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static FolderConfig read(Path folder, Path name) {
        Path real = folder.resolve(name);
        try {
            real = folder.toRealPath().resolve(name);
            if (!real.toRealPath().equals(real)) {
                // its target may be trusted in its own place, which says nothing about this folder
                return unusable(
                        real, "is a link to " + real.toRealPath() + ", which is used only if named with --config");
            }
            if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
                return unusable(real, "is not a regular file");
            }
            try (InputStream in = Files.newInputStream(real, LinkOption.NOFOLLOW_LINKS)) {
                byte[] content = in.readNBytes(LONGEST + 1);
                return content.length > LONGEST
                        ? unusable(real, "is longer than " + LONGEST + " bytes")
                        : of(real, name, content);
            }
        } catch (NoSuchFileException _) {
            return unusable(real, "no such file");
        } catch (IOException e) {
            return unusable(real, "cannot be read: " + e.getMessage());
        }
    }

    private static FolderConfig of(Path file, Path name, byte[] content) {
        Settings settings = name.equals(OURS) ? ConfigFile.read(file, content) : ConfigFile.readPool(file, content);
        return new FolderConfig(file, HexFormat.of().formatHex(Sha256.digest().digest(content)), settings.of(file));
    }

    private static FolderConfig unusable(Path file, String reason) {
        return new FolderConfig(file, "", new Settings().problem(file + ": " + reason));
    }
}
