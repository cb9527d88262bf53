package dev.holdfast.broker.verb;

import dev.holdfast.claim.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One named value of a verb's arguments or result, for schemas and for checking callers' values.
 *
 * @param least the smallest number, or the fewest characters of a text that are no spaces
 * @param longest characters of a text, or of each text in a list, at most
 * @param words the only texts allowed; empty: any
 * @param open the words are listed in the schema, but others pass: the verb refuses them with its own message
 * @param fields what an object, or each object of a list, consists of
 * @param actor it names who calls: a caller can be nobody but itself
 * @param idOf the kind of thing whose id this is; null: not an id
 */
public record Property(
        String name,
        Type type,
        String description,
        Presence presence,
        @Nullable Long least,
        @Nullable Long most,
        @Nullable Integer longest,
        List<String> words,
        boolean open,
        List<Property> fields,
        @Nullable Object example,
        boolean actor,
        @Nullable Kind idOf) {
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
        /** Present, but null when there is no value. */
        NULLABLE
    }

    private static final int MOST_TEXTS = 50;

    /** Entries that a list of texts may have. */
    int mostTexts() {
        return most == null ? MOST_TEXTS : most.intValue();
    }

    public boolean required() {
        return presence != Presence.OPTIONAL;
    }

    /** The same, but it may be left out. */
    Property maybe() {
        return new Property(
                name,
                type,
                description,
                Presence.OPTIONAL,
                least,
                most,
                longest,
                words,
                open,
                fields,
                example,
                actor,
                idOf);
    }
}
