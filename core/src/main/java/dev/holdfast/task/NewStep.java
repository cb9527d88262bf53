package dev.holdfast.task;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A step to create.
 *
 * @param key its name within the task
 * @param dependsOn keys of steps that must have succeeded first
 * @param input JSON for whoever does the step
 * @param maxAttempts how often it may fail or be abandoned
 */
public record NewStep(
        String key, List<String> dependsOn, @Nullable String input, int maxAttempts) {
    public static final int ATTEMPTS = 3;
    static final int LONGEST_INPUT = 1_000_000;
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

    public NewStep {
        if (!KEY.matcher(key).matches()) {
            throw new InvalidException("step key '" + (key.length() > 60 ? key.substring(0, 60) + "…" : key)
                    + "' must be 1 to 100 letters, digits, - or _, beginning with a letter or digit");
        }
        dependsOn = dependsOn.stream().distinct().toList();
        if (input != null) {
            Text.limited("input of step " + key, input, LONGEST_INPUT);
        }
        if (maxAttempts < 1 || maxAttempts > 100) {
            throw new InvalidException("max_attempts of step " + key + " must be 1 to 100, not " + maxAttempts);
        }
    }

    public static NewStep of(String key, String... dependsOn) {
        return new NewStep(key, List.of(dependsOn), null, ATTEMPTS);
    }
}
