package dev.holdfast.review.approval;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The maker of an agent's model, as far as the agent's kind reveals it: {@code claude} and {@code claude-code} have the
 * same make.
 */
public final class ModelMaker {
    private static final Pattern FIRST_WORD = Pattern.compile("[a-z]+");

    private ModelMaker() {}

    public static Optional<String> of(@Nullable String engine) {
        if (engine == null) {
            return Optional.empty();
        }
        Matcher word = FIRST_WORD.matcher(engine.strip().toLowerCase(Locale.ROOT));
        return word.lookingAt() ? Optional.of(word.group()) : Optional.empty();
    }
}
