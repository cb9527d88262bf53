package dev.holdfast.broker.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds settings that other users of the machine should not read, and checks whether they can. */
public final class SecretSettings {
    private static final Pattern PASSWORD = Pattern.compile("://[^/@]*:[^/@]+@.*|.*[?&]password=.+");

    private SecretSettings() {}

    /** The warning about a file with these settings, if others can read it. Group access counts as intended. */
    public static Optional<String> exposed(Path file, Settings settings) {
        boolean direct = hasPassword(settings.text(Setting.DIRECT_DATABASE));
        boolean password = direct || hasPassword(settings.text(Setting.DATABASE));
        boolean secret = settings.text(Setting.WEBHOOK_SECRET) != null;
        if (!(password || secret) || !othersCanRead(file)) {
            return Optional.empty();
        }
        return Optional.of("every user of this machine can read " + file + ", and it has "
                + (password
                        ? "the password of " + (direct ? Setting.DIRECT_DATABASE : Setting.DATABASE).path()
                        : Setting.WEBHOOK_SECRET.path())
                + " in it: chmod 600 " + file);
    }

    /** Whether such an address contains a password. */
    public static boolean hasPassword(@Nullable String database) {
        return database != null && PASSWORD.matcher(database).find();
    }

    static Object shown(Setting setting, Object value) {
        return switch (setting) {
            case DATABASE, DIRECT_DATABASE -> Objects.requireNonNull(withoutPassword(value.toString()));
            default -> setting.form().secret() ? "***" : value;
        };
    }

    /** The same address, safe to show or store. */
    public static @Nullable String withoutPassword(@Nullable String database) {
        return database == null
                ? null
                : database.replaceFirst("(://[^/@:]*):[^/@]+@", "$1@")
                        .replaceAll("([?&])password=[^&]*&?", "$1")
                        .replaceAll("[?&]$", "");
    }

    private static boolean othersCanRead(Path file) {
        try {
            Path real = file.toRealPath();
            if (!Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_READ)) {
                return false;
            }
            for (Path folder = real.getParent(); folder != null; folder = folder.getParent()) {
                if (!Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return true;
        } catch (IOException | UnsupportedOperationException _) {
            return false; // a missing file is reported elsewhere; without permissions there is nothing to report
        }
    }
}
