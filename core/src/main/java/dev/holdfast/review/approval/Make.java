package dev.holdfast.review.approval;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Who makes the model behind an agent, as far as its kind tells: {@code claude} and {@code claude-code} are of one make. */
public final class Make {
    private static final Pattern FIRST_WORD = Pattern.compile("[a-z]+");

    private Make() {}

    public static Optional<String> of(@Nullable String engine) {
        if (engine == null) {
            return Optional.empty();
        }
        Matcher word = FIRST_WORD.matcher(engine.strip().toLowerCase(Locale.ROOT));
        return word.lookingAt() ? Optional.of(word.group()) : Optional.empty();
    }
}
