package dev.holdfast.claim;

import dev.holdfast.claim.Subject.DomainEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of every resource's events, whatever was called: grants and reclaims have strictly growing
 * generations, a grant comes only when the resource is free or its lease has expired, an ending only after the grant
 * that it ends, and no grant ends twice.
 *
 * <p>Soft claims carry the generation of their outer claim; for them, only the alternation of grants and endings is
 * checked.
 */
final class Invariants {
    private static final Set<String> GRANTS = Set.of("claimed", "taken_over");
    private static final Set<String> ENDINGS = Set.of("released", "completed", "failed");

    private Invariants() {}

    private static final class Seen {
        long generation;
        boolean held;

        @Nullable
        String holder;

        long heldGeneration;
        final Set<Long> completed = new HashSet<>();
    }

    /** Everything that is wrong with these events, which must be in the order of their ids. */
    static List<String> broken(List<DomainEvent> events) {
        List<String> wrong = new ArrayList<>();
        Map<Resource, Seen> resources = new HashMap<>();
        for (DomainEvent event : events) {
            Seen seen = resources.computeIfAbsent(event.resource(), _ -> new Seen());
            String type = event.type();
            long generation = event.generation() == null ? 0 : event.generation();
            if (GRANTS.contains(type)) {
                if (seen.held && type.equals("claimed")) {
                    wrong.add(event + ": granted while " + seen.holder + " held it at " + seen.heldGeneration);
                }
                if (!seen.held && type.equals("taken_over")) {
                    wrong.add(event + ": taken over from nobody");
                }
                seen.held = true;
                seen.holder = event.actor();
                seen.heldGeneration = generation;
            } else if (ENDINGS.contains(type) || (type.equals("parked") && event.actor() != null)) {
                if (!seen.held || !Objects.equals(seen.holder, event.actor()) || seen.heldGeneration != generation) {
                    wrong.add(event + ": ended by one who did not hold it");
                }
                if (type.equals("completed") && !seen.completed.add(generation)) {
                    wrong.add(event + ": completed twice");
                }
                seen.held = false;
            } else if (type.equals("reclaimed") || type.equals("parked")) {
                if (!seen.held) {
                    wrong.add(event + ": reclaimed from nobody");
                }
                seen.held = false;
            }
        }
        return wrong;
    }

    /** For histories without soft claims: the generations of grants and reclaims strictly increase. */
    static List<String> generationsThatDoNotGrow(List<DomainEvent> events) {
        List<String> wrong = new ArrayList<>();
        Map<Resource, Seen> resources = new HashMap<>();
        for (DomainEvent event : events) {
            boolean moves = GRANTS.contains(event.type())
                    || event.type().equals("reclaimed")
                    || (event.type().equals("parked") && event.actor() == null);
            if (moves) {
                Seen seen = resources.computeIfAbsent(event.resource(), _ -> new Seen());
                long generation = Objects.requireNonNull(event.generation());
                if (generation <= seen.generation) {
                    wrong.add(event + ": generation after " + seen.generation);
                }
                seen.generation = generation;
            }
        }
        return wrong;
    }
}
