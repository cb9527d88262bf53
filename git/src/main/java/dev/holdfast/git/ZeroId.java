package dev.holdfast.git;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id that git writes where there is no commit, as before the first one. */
public final class ZeroId {
    public static final String ID = "0".repeat(40);

    private static final Pattern ANY = Pattern.compile("0{40}|0{64}");

    private ZeroId() {}

    public static boolean is(@Nullable String id) {
        return id != null && ANY.matcher(id).matches();
    }
}
