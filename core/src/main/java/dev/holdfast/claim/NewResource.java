package dev.holdfast.claim;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resource to create.
 *
 * @param priority 0 (first) to 4 (last)
 * @param blocked not claimable until it is unblocked
 * @param notBefore claimable from this time on; null: at once
 * @param kept claimable by name, but not offered by claim-next until its domain allows it
 * @param maxAttempts parked as blocked after this many failed or expired grants; null: never
 */
public record NewResource(
        Resource resource,
        String queue,
        int priority,
        Set<String> labels,
        boolean blocked,
        @Nullable Instant notBefore,
        boolean kept,
        @Nullable Integer maxAttempts) {
    public static final int ORDINARY_PRIORITY = 2;

    public NewResource {
        Text.limited("queue", queue, Text.LONGEST_HOLDER);
        if (priority < 0 || priority > 4) {
            throw new InvalidException("priority must be 0 (first) to 4 (last), not " + priority);
        }
        labels = Set.copyOf(labels);
        labels.forEach(label -> Text.limited("label", label, Text.LONGEST_HOLDER));
        if (maxAttempts != null && (maxAttempts < 1 || maxAttempts > 1_000)) {
            throw new InvalidException("max attempts must be 1 to 1000, not " + maxAttempts);
        }
    }

    public static NewResource of(Resource resource) {
        return new NewResource(resource, "", ORDINARY_PRIORITY, Set.of(), false, null, false, null);
    }

    public NewResource queue(String queue) {
        return new NewResource(resource, queue, priority, labels, blocked, notBefore, kept, maxAttempts);
    }

    public NewResource priority(int priority) {
        return new NewResource(resource, queue, priority, labels, blocked, notBefore, kept, maxAttempts);
    }

    public NewResource labels(Set<String> labels) {
        return new NewResource(resource, queue, priority, labels, blocked, notBefore, kept, maxAttempts);
    }

    public NewResource blocked(boolean blocked) {
        return new NewResource(resource, queue, priority, labels, blocked, notBefore, kept, maxAttempts);
    }

    public NewResource notBefore(@Nullable Instant notBefore) {
        return new NewResource(resource, queue, priority, labels, blocked, notBefore, kept, maxAttempts);
    }

    public NewResource kept(boolean kept) {
        return new NewResource(resource, queue, priority, labels, blocked, notBefore, kept, maxAttempts);
    }

    public NewResource maxAttempts(@Nullable Integer maxAttempts) {
        return new NewResource(resource, queue, priority, labels, blocked, notBefore, kept, maxAttempts);
    }
}
