package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects resources of a kind: those in one queue (null: in any) that have all these labels.
 *
 * @param except labels that they must not have
 */
public record Filter(@Nullable String queue, Set<String> labels, Set<String> except) {
    public static final Filter ANY = new Filter(null, Set.of());

    public Filter {
        queue = queue == null ? null : Text.limited("queue", queue, Text.LONGEST_HOLDER);
        labels = checked(labels);
        except = checked(except);
    }

    public Filter(@Nullable String queue, Set<String> labels) {
        this(queue, labels, Set.of());
    }

    public static Filter queue(String queue) {
        return new Filter(queue, Set.of());
    }

    private static Set<String> checked(Set<String> labels) {
        labels.forEach(label -> Text.limited("label", label, Text.LONGEST_HOLDER));
        return Set.copyOf(labels);
    }

    /** A condition on {@code r.labels}: it contains all of {@code :labels}, a JSON array. */
    public static String carriesLabels(Engine engine) {
        return switch (engine) {
            case POSTGRES -> " AND CAST(r.labels AS jsonb) @> CAST(:labels AS jsonb)";
            case SQLITE ->
                " AND NOT EXISTS (SELECT 1 FROM json_each(:labels) w"
                        + " WHERE w.value NOT IN (SELECT value FROM json_each(r.labels)))";
        };
    }

    /** A condition on {@code r.labels}: it contains none of {@code :except}, a JSON array. */
    static String carriesNone(Engine engine) {
        return switch (engine) {
            case POSTGRES ->
                " AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text(CAST(:except AS jsonb)) AS w (label)"
                        + " WHERE CAST(r.labels AS jsonb) @> to_jsonb(w.label))";
            case SQLITE ->
                " AND NOT EXISTS (SELECT 1 FROM json_each(:except) w"
                        + " WHERE w.value IN (SELECT value FROM json_each(r.labels)))";
        };
    }

    /** The labels in the form that {@link #carriesLabels} takes. */
    public String labelsAsJson() {
        return ResourceTable.json(labels);
    }

    String exceptAsJson() {
        return ResourceTable.json(except);
    }

    boolean matches(String itsQueue, Set<String> itsLabels) {
        return (queue == null || queue.equals(itsQueue))
                && itsLabels.containsAll(labels)
                && Collections.disjoint(itsLabels, except);
    }
}
