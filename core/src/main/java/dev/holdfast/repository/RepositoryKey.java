package dev.holdfast.repository;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The one key of a repository, project or queue, however its name is written. */
public final class RepositoryKey {
    /** /x, ~/x, \\x and C:\\x or C:/x: paths of other systems too, because agents may not run where the broker does. */
    private static final Pattern ABSOLUTE = Pattern.compile("[/\\\\~].*|[A-Za-z]:[/\\\\].*", Pattern.DOTALL);

    private static final Pattern FOLDERS = Pattern.compile(".*[/\\\\]", Pattern.DOTALL);

    private static final Pattern OTHERS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]");

    private RepositoryKey() {}

    /**
     * Lower case, only letters and digits of any script; a name without any is used as it is. For an absolute path,
     * such as the top folder of a repository, the last part is used. Empty if there is no name.
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

    /** As above, but never empty for a name, even if it is a path without a last part. */
    public static String ofQueue(String written) {
        String key = of(written);
        return key.isEmpty() ? written.strip().toLowerCase(Locale.ROOT) : key;
    }
}
