package dev.holdfast.broker.verb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One named value of a verb's arguments or result.
 *
 * @param longest characters of a text, or entries of a list, at most
 * @param words the only texts allowed; empty: any
 * @param fields what an object, or each object of a list, consists of
 */
public record Field(
        String name,
        Type type,
        String description,
        boolean required,
        boolean nullable,
        @Nullable Long least,
        @Nullable Long most,
        @Nullable Integer longest,
        List<String> words,
        List<Field> fields,
        @Nullable Object example) {
    /** What a value can be. */
    public enum Type {
        TEXT,
        TIME,
        INTEGER,
        BOOLEAN,
        OBJECT,
        /** Any JSON object. */
        ANYTHING,
        TEXTS,
        OBJECTS
    }

    /** Entries that a list of texts may have. */
    static final int MOST_TEXTS = 50;

    private static Field optional(String name, Type type, String description, List<Field> fields) {
        return new Field(name, type, description, false, false, null, null, null, List.of(), fields, null);
    }

    public static Field text(String name, int longest, String description) {
        Field field = optional(name, Type.TEXT, description, List.of());
        return new Field(name, field.type, description, false, false, null, null, longest, List.of(), List.of(), null);
    }

    public static Field time(String name, String description) {
        return optional(name, Type.TIME, description + ", ISO 8601 in UTC with milliseconds", List.of());
    }

    public static Field integer(String name, @Nullable Long least, @Nullable Long most, String description) {
        return new Field(name, Type.INTEGER, description, false, false, least, most, null, List.of(), List.of(), null);
    }

    public static Field flag(String name, String description) {
        return optional(name, Type.BOOLEAN, description, List.of());
    }

    public static Field object(String name, String description, List<Field> fields) {
        return optional(name, Type.OBJECT, description, fields);
    }

    public static Field anything(String name, String description) {
        return optional(name, Type.ANYTHING, description, List.of());
    }

    /** @param longest characters of each text at most */
    public static Field texts(String name, int longest, String description) {
        return new Field(name, Type.TEXTS, description, false, false, null, null, longest, List.of(), List.of(), null);
    }

    public static Field objects(String name, String description, List<Field> fields) {
        return optional(name, Type.OBJECTS, description, fields);
    }

    public Field must() {
        return new Field(name, type, description, true, nullable, least, most, longest, words, fields, example);
    }

    /** Present, and null when there is nothing. */
    public Field orNull() {
        return new Field(name, type, description, true, true, least, most, longest, words, fields, example);
    }

    public Field oneOf(List<String> words) {
        return new Field(
                name, type, description, required, nullable, least, most, longest, List.copyOf(words), fields, example);
    }

    public Field example(Object example) {
        return new Field(name, type, description, required, nullable, least, most, longest, words, fields, example);
    }
}
