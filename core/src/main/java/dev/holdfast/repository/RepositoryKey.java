package dev.holdfast.repository;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The one key by which a repository, project or queue is known, however it is written. */
public final class RepositoryKey {
    /** /x, ~/x, \\x and C:\\x or C:/x: also those of other systems, for agents may run elsewhere than the broker. */
    private static final Pattern ABSOLUTE = Pattern.compile("[/\\\\~].*|[A-Za-z]:[/\\\\].*", Pattern.DOTALL);

    private static final Pattern FOLDERS = Pattern.compile(".*[/\\\\]", Pattern.DOTALL);

    private RepositoryKey() {}

    /**
     * Lower case, letters a-z and digits only. An absolute path, such as the top folder of a repository, counts by its
     * last part. Empty when there is no name.
     */
    public static String of(@Nullable String written) {
        if (written == null) {
            return "";
        }
        String name = written.strip();
        if (ABSOLUTE.matcher(name).matches()) {
            name = FOLDERS.matcher(name.replaceFirst("[/\\\\]+\\z", "")).replaceFirst("");
        }
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** The same for a name that must stay one: what has none of these characters stays as it is written. */
    public static String ofQueue(String written) {
        String key = of(written);
        return key.isEmpty() ? written.strip().toLowerCase(Locale.ROOT) : key;
    }
}
