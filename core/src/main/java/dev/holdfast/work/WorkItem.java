package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work, as it stands now.
 *
 * @param stated the status as somebody set it, whether or not it is held or waits for others
 * @param priority 0 (first) to 4 (last)
 * @param blockedReason why it is blocked, when somebody said so or it was parked
 * @param parked it failed too often, and waits for somebody to look at it
 * @param attempts grants that failed or ran out since the last success
 * @param claim who has it
 * @param note what its last holder left for the next
 * @param metadata a JSON object
 */
public record WorkItem(
        String id,
        String title,
        @Nullable String description,
        WorkStatus status,
        WorkStatus stated,
        int priority,
        String type,
        Set<String> labels,
        String queue,
        @Nullable String parent,
        @Nullable String assignee,
        @Nullable String externalRef,
        @Nullable String metadata,
        @Nullable Instant deferUntil,
        @Nullable String blockedReason,
        boolean parked,
        int attempts,
        @Nullable Claim claim,
        @Nullable String note,
        Instant createdAt,
        @Nullable String createdBy,
        Instant updatedAt,
        @Nullable Instant closedAt,
        @Nullable String closedBy,
        @Nullable String closeReason,
        long position,
        List<Dependency> dependencies) {
    private static final int LONGEST_HINDRANCE = 200;

    public Resource resource() {
        return resource(id);
    }

    public static Resource resource(String id) {
        return new Resource(Kind.WORK, id);
    }

    /** The same item, with what it depends on. */
    public WorkItem with(List<Dependency> known) {
        return new WorkItem(
                id,
                title,
                description,
                status,
                stated,
                priority,
                type,
                labels,
                queue,
                parent,
                assignee,
                externalRef,
                metadata,
                deferUntil,
                blockedReason,
                parked,
                attempts,
                claim,
                note,
                createdAt,
                createdBy,
                updatedAt,
                closedAt,
                closedBy,
                closeReason,
                position,
                known);
    }

    /** Why nobody can claim it, in a few words; empty when somebody can, or has. */
    Optional<String> hindrance() {
        return switch (status) {
            case OPEN, IN_PROGRESS -> Optional.empty();
            case CLOSED -> Optional.of("closed");
            case DEFERRED ->
                Optional.of("deferred until "
                        + (deferUntil == null ? "someone reopens it" : deferUntil.truncatedTo(ChronoUnit.MILLIS)));
            case BLOCKED -> Optional.of(brief(blockedBecause()));
        };
    }

    private String blockedBecause() {
        if (blockedReason != null) {
            return parked ? blockedReason : "blocked: " + blockedReason;
        }
        return blockedBy().isEmpty() ? "blocked" : "blocked: it waits for " + String.join(", ", blockedBy());
    }

    private static String brief(String text) {
        return text.length() <= LONGEST_HINDRANCE ? text : text.substring(0, LONGEST_HINDRANCE - 1) + "…";
    }

    /** What must be done before it. */
    public List<String> blockedBy() {
        return dependencies.stream()
                .filter(Dependency::holds)
                .map(Dependency::dependsOn)
                .distinct()
                .toList();
    }
}
