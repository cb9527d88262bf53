package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which things of a kind are wanted: those of one queue (null: of any) that carry all these labels. */
public record Filter(@Nullable String queue, Set<String> labels) {
    public static final Filter ANY = new Filter(null, Set.of());

    public Filter {
        queue = queue == null ? null : Text.limited("queue", queue, Text.LONGEST_HOLDER);
        labels = Set.copyOf(labels);
        labels.forEach(label -> Text.limited("label", label, Text.LONGEST_HOLDER));
    }

    public static Filter queue(String queue) {
        return new Filter(queue, Set.of());
    }

    /** A condition on {@code r.labels}: that all of {@code :labels}, a JSON array, are among them. */
    public static String carriesLabels(Engine engine) {
        return switch (engine) {
            case POSTGRES -> " AND CAST(r.labels AS jsonb) @> CAST(:labels AS jsonb)";
            case SQLITE ->
                " AND NOT EXISTS (SELECT 1 FROM json_each(:labels) w"
                        + " WHERE w.value NOT IN (SELECT value FROM json_each(r.labels)))";
        };
    }

    /** The labels as {@link #carriesLabels} wants them. */
    public String labelsAsJson() {
        return ResourceTable.json(labels);
    }

    boolean matches(String itsQueue, Set<String> itsLabels) {
        return (queue == null || queue.equals(itsQueue)) && itsLabels.containsAll(labels);
    }
}
