package dev.holdfast.broker.verb;

import dev.holdfast.claim.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One named value of a verb's arguments or result, for schemas and for checking callers' values.
 *
 * @param min the minimum of a number, or the minimum of non-blank characters in a text
 * @param longest the maximum length of a text, or of each text in a list
 * @param words the only texts allowed; empty: any
 * @param open whether the schema lists the words but others are accepted: the verb refuses them with its own message
 * @param fields the fields of an object, or of each object in a list
 * @param actor whether it names the caller: nobody can act as somebody else
 * @param idOf the kind of resource whose id this is; null: not an id
 */
public record Property(
        String name,
        Type type,
        String description,
        Presence presence,
        @Nullable Long min,
        @Nullable Long max,
        @Nullable Integer longest,
        List<String> words,
        boolean open,
        List<Property> fields,
        @Nullable Object example,
        boolean actor,
        @Nullable Kind idOf) {
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

    /** Whether a value must be present. */
    public enum Presence {
        OPTIONAL,
        REQUIRED,
        /** Present, but null when there is no value. */
        NULLABLE
    }

    private static final int MAX_TEXTS = 50;

    /** The most entries that a list of texts may have. */
    int maxTexts() {
        return max == null ? MAX_TEXTS : max.intValue();
    }

    public boolean required() {
        return presence != Presence.OPTIONAL;
    }

    /** The same, but optional. */
    Property maybe() {
        return new Property(
                name,
                type,
                description,
                Presence.OPTIONAL,
                min,
                max,
                longest,
                words,
                open,
                fields,
                example,
                actor,
                idOf);
    }
}
