package dev.holdfast.broker.config;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which values a setting accepts, and its default. Declared once with each {@link Setting}; checks, defaults, the JSON
 * schema, {@code holdfast config settings} and docs/configuration.md follow from it.
 *
 * @param min the minimum of a number
 * @param max the maximum of a number
 * @param choices the only texts allowed, or the only names in it; empty: any
 * @param standard the default; null: none, or as {@code explained} says
 * @param explained the default in words, if it depends on something; empty: there is none
 * @param secret nobody else should read it
 * @param harmless whether it may apply from the file of an untrusted folder
 */
record SettingForm(
        Setting.Type type,
        long min,
        long max,
        List<String> choices,
        @Nullable Object standard,
        String explained,
        boolean secret,
        boolean harmless) {
    static final long DAY = 86_400;

    static SettingForm of(Setting.Type type) {
        return new SettingForm(type, 0, 0, List.of(), null, "", false, false);
    }

    static SettingForm text() {
        return of(Setting.Type.TEXT);
    }

    static SettingForm oneOf(String... choices) {
        return new SettingForm(Setting.Type.TEXT, 0, 0, List.of(choices), choices[0], "", false, false);
    }

    static SettingForm number(long min, long max) {
        return of(Setting.Type.NUMBER).from(min, max);
    }

    static SettingForm flag(boolean standard) {
        return of(Setting.Type.FLAG).or(standard);
    }

    SettingForm from(long lowest, long highest) {
        return new SettingForm(type, lowest, highest, choices, standard, explained, secret, harmless);
    }

    /** The default value. */
    SettingForm or(Object value) {
        Object whole = value instanceof Integer number ? Long.valueOf(number) : value;
        return new SettingForm(type, min, max, choices, whole, explained, secret, harmless);
    }

    /** The default in words. */
    SettingForm orElse(String words) {
        return new SettingForm(type, min, max, choices, null, words, secret, harmless);
    }

    /** The only names allowed in it. */
    SettingForm named(String... names) {
        return new SettingForm(type, min, max, List.of(names), standard, explained, secret, harmless);
    }

    SettingForm asSecret() {
        return new SettingForm(type, min, max, choices, standard, explained, true, harmless);
    }

    /**
     * Lets it apply from the file of an untrusted working folder. Few settings qualify: a setting is harmless only if
     * no value of it can start or name anything, cost money, show, store or delete anything, or weaken a guard or
     * limit. These are the default leases of claims whose caller gives no ttl_seconds, which any caller may give. The
     * lease of reviews is not among them, because the pool ends reviewers by it.
     */
    SettingForm asHarmless() {
        return new SettingForm(type, min, max, choices, standard, explained, secret, true);
    }

    /** The problem with a text that is not one of the choices, if any. */
    Optional<String> wrongChoice(String text) {
        return choices.isEmpty() || choices.contains(text)
                ? Optional.empty()
                : Optional.of("must be "
                        + (choices.size() == 2
                                ? choices.get(0) + " or " + choices.get(1)
                                : "one of " + String.join(", ", choices))
                        + ", not " + text);
    }

    /** Describes the values it accepts. */
    String wanted() {
        String range = "from " + min + " to " + max;
        return switch (type) {
            case TEXT -> "text";
            case NUMBER -> "a whole number " + range;
            case FLAG -> "true or false";
            case DECIMAL -> "a number " + range;
            case TEXTS -> "a list of texts";
            case TEXTS_BY_NAME -> "an object of texts by name";
            case NUMBERS_BY_NAME -> "an object of whole numbers " + range + " by name";
            case FOLDERS -> "an object of folders by name";
        };
    }
}
