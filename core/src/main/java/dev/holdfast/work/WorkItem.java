package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a work item.
 *
 * @param stated the status as set by somebody, regardless of whether it is held or waits for others
 * @param priority 0 (first) to 4 (last)
 * @param blockedReason why it is blocked, if somebody blocked it or it was parked
 * @param parked it failed too often and stays blocked until somebody looks at it
 * @param attempts grants that failed or expired since the last success
 * @param claim the current claim
 * @param note the previous holder's handoff note
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

    /** A copy with these dependencies. */
    public WorkItem with(List<Dependency> known) {
        return with(parent, known);
    }

    /** The item as it is shown to somebody for whom only some others exist. */
    public WorkItem seenBy(Predicate<String> sees) {
        return with(
                parent != null && sees.test(parent) ? parent : null,
                dependencies.stream()
                        .filter(dependency -> sees.test(dependency.dependsOn()))
                        .toList());
    }

    private WorkItem with(@Nullable String shownParent, List<Dependency> known) {
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
                shownParent,
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

    /**
     * Why nobody can claim it, in a few words; empty if somebody can, or holds it.
     *
     * @param near whether to name an item that it waits for
     */
    Optional<String> hindrance(Predicate<String> near) {
        return switch (status) {
            case OPEN, IN_PROGRESS -> Optional.empty();
            case CLOSED -> Optional.of("closed");
            case DEFERRED ->
                Optional.of("deferred until "
                        + (deferUntil == null ? "someone reopens it" : deferUntil.truncatedTo(ChronoUnit.MILLIS)));
            case BLOCKED -> Optional.of(brief(blockedBecause(near)));
        };
    }

    private String blockedBecause(Predicate<String> near) {
        if (blockedReason != null) {
            return parked ? blockedReason : "blocked: " + blockedReason;
        }
        List<String> waitsFor =
                new ArrayList<>(blockedBy().stream().filter(near).toList());
        if (waitsFor.size() < blockedBy().size()) {
            waitsFor.add("items of other queues");
        }
        return waitsFor.isEmpty() ? "blocked" : "blocked: it waits for " + String.join(", ", waitsFor);
    }

    private static String brief(String text) {
        return text.length() <= LONGEST_HINDRANCE ? text : text.substring(0, LONGEST_HINDRANCE - 1) + "…";
    }

    /** The items that must be closed first. */
    public List<String> blockedBy() {
        return dependencies.stream()
                .filter(Dependency::holds)
                .map(Dependency::dependsOn)
                .distinct()
                .toList();
    }
}
