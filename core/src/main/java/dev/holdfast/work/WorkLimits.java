package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.repository.RepositoryKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The limits on an item's fields, checked before anything is written. */
public final class WorkLimits {
    public static final int LONGEST_TITLE = 500;
    public static final int LONGEST_TEXT = 200_000;
    public static final int LONGEST_WORD = 200;
    /** Leaves room for the prefix that makes it one of the labels that claim-next chooses by. */
    public static final int LONGEST_TYPE = LONGEST_WORD - 6;

    public static final int MAX_LABELS = 50;

    private WorkLimits() {}

    /** Ids appear in commands and resource names, so they are one word without a colon. */
    public static String id(String id) {
        Text.limited("id", id, LONGEST_WORD);
        if (id.isEmpty() || id.codePoints().anyMatch(c -> c <= ' ' || c == ':' || Character.isWhitespace(c))) {
            throw new InvalidException("id '" + id
                    + "' must be one word without a colon, such as hf-3k9x; leave it out to have one generated");
        }
        return id;
    }

    /** Whether there can be an item with this id at all. */
    public static boolean couldBe(String id) {
        try {
            id(id);
            return true;
        } catch (InvalidException _) {
            return false;
        }
    }

    public static String title(String title) {
        if (title.isBlank()) {
            throw new InvalidException("title must not be blank");
        }
        return Text.limited("title", title, LONGEST_TITLE);
    }

    public static @Nullable String text(String name, @Nullable String text) {
        return text == null ? null : Text.limited(name, text, LONGEST_TEXT);
    }

    public static @Nullable String word(String name, @Nullable String word) {
        return word == null ? null : required(name, word);
    }

    public static String required(String name, String word) {
        if (word.isBlank()) {
            throw new InvalidException(name + " must not be blank");
        }
        return Text.limited(name, word, LONGEST_WORD);
    }

    public static String type(String name, String type) {
        return Text.limited(name, required(name, type), LONGEST_TYPE);
    }

    /** The queue's key: queues are named like projects. */
    public static String queue(String queue) {
        return RepositoryKey.ofQueue(Text.limited("queue", queue, LONGEST_WORD));
    }

    public static int priority(int priority) {
        if (priority < 0 || priority > 4) {
            throw new InvalidException("priority must be 0 (first) to 4 (last), not " + priority);
        }
        return priority;
    }

    public static Set<String> labels(Set<String> labels) {
        if (labels.size() > MAX_LABELS) {
            throw new InvalidException("an item has at most " + MAX_LABELS + " labels");
        }
        for (String label : labels) {
            required("label", label);
            if (label.indexOf('\n') >= 0) {
                throw new InvalidException("label '" + label.replace('\n', ' ') + "' must be on one line");
            }
        }
        return Set.copyOf(labels);
    }
}
