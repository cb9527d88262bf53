package dev.holdfast.review;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The one key by which a project is known, however it is written. */
public final class Project {
    private Project() {}

    /** Lower case letters and digits of its name; of a path, the last part counts. Empty when there is no project. */
    public static String key(@Nullable String written) {
        if (written == null) {
            return "";
        }
        String path = written.strip().replace('\\', '/').replaceAll("/+$", "");
        String name =
                path.startsWith("/") || path.matches("[A-Za-z]:/.*") ? path.substring(path.lastIndexOf('/') + 1) : path;
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
