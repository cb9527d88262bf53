package dev.holdfast.broker.verb;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One named value of a verb's arguments or result.
 *
 * @param least the smallest number, or the fewest characters of a text that are no spaces
 * @param longest characters of a text, or of each text in a list, at most
 * @param words the only texts allowed; empty: any
 * @param open the words are told, but others come through: the verb refuses them in words of its own
 * @param fields what an object, or each object of a list, consists of
 * @param actor it names who calls: a caller can be nobody but itself
 */
public record Field(
        String name,
        Type type,
        String description,
        Presence presence,
        @Nullable Long least,
        @Nullable Long most,
        @Nullable Integer longest,
        List<String> words,
        boolean open,
        List<Field> fields,
        @Nullable Object example,
        boolean actor) {
    /** What a value can be. */
    public enum Type {
        TEXT,
        TIME,
        INTEGER,
        NUMBER,
        BOOLEAN,
        OBJECT,
        /** Any JSON object. */
        ANYTHING,
        /** Any JSON value. */
        VALUE,
        TEXTS,
        OBJECTS
    }

    /** Whether a value is there. */
    public enum Presence {
        OPTIONAL,
        REQUIRED,
        /** There, but null when there is nothing to tell. */
        NULLABLE
    }

    private static final int MOST_TEXTS = 50;

    /** Entries that a list of texts may have. */
    int mostTexts() {
        return most == null ? MOST_TEXTS : most.intValue();
    }

    public static Field text(String name, int longest, String description) {
        return plain(name, Type.TEXT, description).limits(null, null, longest);
    }

    public static Field time(String name, String description) {
        return plain(name, Type.TIME, description);
    }

    public static Field integer(String name, @Nullable Long least, @Nullable Long most, String description) {
        return plain(name, Type.INTEGER, description).limits(least, most, null);
    }

    /** A number that need not be whole. */
    public static Field number(String name, String description) {
        return plain(name, Type.NUMBER, description);
    }

    public static Field value(String name, String description) {
        return plain(name, Type.VALUE, description);
    }

    public static Field flag(String name, String description) {
        return plain(name, Type.BOOLEAN, description);
    }

    public static Field anything(String name, String description) {
        return plain(name, Type.ANYTHING, description);
    }

    /** @param longest characters of each text at most */
    public static Field texts(String name, int longest, String description) {
        return plain(name, Type.TEXTS, description).limits(null, null, longest);
    }

    public static Field object(String name, String description, List<Field> fields) {
        return plain(name, Type.OBJECT, description).with(fields);
    }

    public static Field objects(String name, String description, List<Field> fields) {
        return plain(name, Type.OBJECTS, description).with(fields);
    }

    public boolean required() {
        return presence != Presence.OPTIONAL;
    }

    public Field must() {
        return present(Presence.REQUIRED);
    }

    public Field orNull() {
        return present(Presence.NULLABLE);
    }

    /** The same, but it may be left out. */
    public Field maybe() {
        return present(Presence.OPTIONAL);
    }

    /** A list with no more entries than these. */
    public Field atMost(int entries) {
        return limits(null, (long) entries, longest);
    }

    public Field oneOf(List<String> allowed) {
        return among(allowed, false);
    }

    /** One of these, as callers are told; what else comes, the verb itself refuses or takes. */
    public Field usually(List<String> known) {
        return among(known, true);
    }

    private Field among(List<String> known, boolean others) {
        return new Field(
                name,
                type,
                description,
                presence,
                least,
                most,
                longest,
                List.copyOf(known),
                others,
                fields,
                example,
                actor);
    }

    public Field example(Object shown) {
        return new Field(name, type, description, presence, least, most, longest, words, open, fields, shown, actor);
    }

    /** The same text, which may not be blank. */
    public Field filled() {
        return limits(1L, most, longest);
    }

    /** The same, naming who calls. */
    public Field ofActor() {
        return new Field(name, type, description, presence, least, most, longest, words, open, fields, example, true);
    }

    private static Field plain(String name, Type type, String description) {
        return new Field(
                name, type, description, Presence.OPTIONAL, null, null, null, List.of(), false, List.of(), null, false);
    }

    private Field limits(@Nullable Long fewest, @Nullable Long highest, @Nullable Integer characters) {
        return new Field(
                name, type, description, presence, fewest, highest, characters, words, open, fields, example, actor);
    }

    private Field with(List<Field> parts) {
        return new Field(
                name,
                type,
                description,
                presence,
                least,
                most,
                longest,
                words,
                open,
                List.copyOf(parts),
                example,
                actor);
    }

    private Field present(Presence when) {
        return new Field(name, type, description, when, least, most, longest, words, open, fields, example, actor);
    }
}
