package dev.holdfast.broker.config;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What values a setting takes and what counts without one. Each is declared once, with its {@link Setting}; checks,
 * defaults, the JSON schema, {@code holdfast config settings} and docs/configuration.md follow from it.
 *
 * @param least of a number
 * @param most of a number
 * @param choices the only texts that it may be, or the only names in it; empty: any
 * @param standard what counts when it is not given; null: nothing, or what {@code explained} says
 * @param explained the default in words, where it depends on something; empty: there is none
 * @param secret nobody else should read it
 * @param harmless whether it may count from the file of a folder that nobody has trusted
 */
record SettingForm(
        Setting.Type type,
        long least,
        long most,
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

    static SettingForm number(long least, long most) {
        return of(Setting.Type.NUMBER).from(least, most);
    }

    static SettingForm flag(boolean standard) {
        return of(Setting.Type.FLAG).or(standard);
    }

    SettingForm from(long lowest, long highest) {
        return new SettingForm(type, lowest, highest, choices, standard, explained, secret, harmless);
    }

    /** The value that counts when none is given. */
    SettingForm or(Object value) {
        Object whole = value instanceof Integer number ? Long.valueOf(number) : value;
        return new SettingForm(type, least, most, choices, whole, explained, secret, harmless);
    }

    /** The same in words. */
    SettingForm orElse(String words) {
        return new SettingForm(type, least, most, choices, null, words, secret, harmless);
    }

    /** The only names that may be in it. */
    SettingForm named(String... names) {
        return new SettingForm(type, least, most, List.of(names), standard, explained, secret, harmless);
    }

    SettingForm asSecret() {
        return new SettingForm(type, least, most, choices, standard, explained, true, harmless);
    }

    /**
     * It may count from the file of a working folder that nobody has trusted. So few do because a setting is harmless only
     * if no value of it starts or names anything, costs money, shows, stores or deletes anything, or lowers a guard or
     * limit. These are what a claim gets whose caller names no ttl_seconds, and any caller may name one. The lease of
     * reviews is none of them: the pool ends reviewers by it.
     */
    SettingForm asHarmless() {
        return new SettingForm(type, least, most, choices, standard, explained, secret, true);
    }

    /** What is wrong with a text that is none of the choices, if it is none. */
    Optional<String> wrongChoice(String text) {
        return choices.isEmpty() || choices.contains(text)
                ? Optional.empty()
                : Optional.of("must be "
                        + (choices.size() == 2
                                ? choices.get(0) + " or " + choices.get(1)
                                : "one of " + String.join(", ", choices))
                        + ", not " + text);
    }

    /** What its value must be, in words. */
    String wanted() {
        String range = "from " + least + " to " + most;
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
