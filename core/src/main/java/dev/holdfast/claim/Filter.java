package dev.holdfast.claim;

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

    boolean matches(String itsQueue, Set<String> itsLabels) {
        return (queue == null || queue.equals(itsQueue)) && itsLabels.containsAll(labels);
    }
}
