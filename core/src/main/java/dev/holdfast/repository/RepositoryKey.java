package dev.holdfast.repository;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The one key by which a repository, project or queue is known, however it is written. */
public final class RepositoryKey {
    /** /x, ~/x, \\x and C:\\x or C:/x: also those of other systems, for agents may run elsewhere than the broker. */
    private static final Pattern ABSOLUTE = Pattern.compile("[/\\\\~].*|[A-Za-z]:[/\\\\].*", Pattern.DOTALL);

    private static final Pattern FOLDERS = Pattern.compile(".*[/\\\\]", Pattern.DOTALL);

    private static final Pattern OTHERS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]");

    private RepositoryKey() {}

    /**
     * Lower case, letters and digits of any script only; a name that has none counts as it is written. An absolute path, such as
     * the top folder of a repository, counts by its last part. Empty when there is no name.
     */
    public static String of(@Nullable String written) {
        if (written == null) {
            return "";
        }
        String name = written.strip();
        if (ABSOLUTE.matcher(name).matches()) {
            name = FOLDERS.matcher(name.replaceFirst("[/\\\\]+\\z", "")).replaceFirst("");
        }
        String lower = Normalizer.normalize(name, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        String key = OTHERS.matcher(lower).replaceAll("");
        return key.isEmpty() ? lower : key;
    }

    /** The same for a name that must stay one, also where it is a path without a last part. */
    public static String ofQueue(String written) {
        String key = of(written);
        return key.isEmpty() ? written.strip().toLowerCase(Locale.ROOT) : key;
    }
}
