package dev.holdfast.work;

import dev.holdfast.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the events tell of a backlog that many worked through at once, and everything in it that must never happen:
 *
 * <ol>
 *   <li>Each item is closed once, by the grant that held it at that moment, and nobody is given it after that.
 *   <li>An item is given to somebody only when all that it depends on is closed.
 *   <li>Nobody is given what another holds, unless that one's time had run out.
 *   <li>The generations of an item grow with every grant.
 * </ol>
 */
public final class WorkHistory {
    /**
     * An item in somebody's hands.
     *
     * @param ended how: the type of the event that ended it; null: it has not ended
     */
    public record Hold(
            String id,
            String holder,
            long generation,
            Instant from,
            @Nullable Instant until,
            @Nullable String ended) {
        /** Whether it ended because its time had run out, and not by its holder. */
        public boolean ranOut() {
            return Objects.equals(ended, "reclaimed")
                    || Objects.equals(ended, "parked")
                    || Objects.equals(ended, "taken_over");
        }

        private Hold over(Event event) {
            return new Hold(id, holder, generation, from, event.at(), event.type());
        }
    }

    private final Map<String, Set<String>> dependencies;
    private final Duration ttl;
    private final Map<String, Hold> held = new HashMap<>();
    private final Map<String, Long> lastGeneration = new HashMap<>();
    private final Map<String, Hold> closed = new HashMap<>();
    private final List<Hold> over = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    /**
     * @param events all of them, by id
     * @param dependencies of every item: what must be closed before it
     * @param ttl of all claims; nobody gave a heartbeat
     */
    public WorkHistory(List<Event> events, Map<String, Set<String>> dependencies, Duration ttl) {
        this.dependencies = dependencies;
        this.ttl = ttl;
        for (Event event : events) {
            String id = event.resource().startsWith("work:") ? event.resource().substring("work:".length()) : "";
            if (dependencies.containsKey(id)) {
                happened(id, event);
            }
        }
        for (String id : dependencies.keySet()) {
            if (!closed.containsKey(id)) {
                wrong.add(id + " was never closed");
            }
        }
    }

    private void happened(String id, Event event) {
        switch (event.type()) {
            case "claimed", "taken_over" -> given(id, event);
            case "reclaimed", "parked" -> takenAway(id, event);
            case "released" -> giveUp(id, event);
            case "work_closed" -> {
                if (closed.containsKey(id)) {
                    wrong.add(id + " was closed twice, the second time by " + event.actor());
                }
                giveUp(id, event).ifPresent(hold -> closed.putIfAbsent(id, hold));
            }
            default -> {} // says nothing of who has it
        }
    }

    private void given(String id, Event event) {
        long generation = Objects.requireNonNull(event.generation());
        String holder = Objects.requireNonNull(event.actor());
        if (closed.containsKey(id)) {
            wrong.add(id + " was given to " + holder + " when it was closed");
        }
        for (String first : dependencies.getOrDefault(id, Set.of())) {
            if (!closed.containsKey(first)) {
                wrong.add(id + " was given to " + holder + " before " + first + " was closed");
            }
        }
        Hold before = held.get(id);
        if (event.type().equals("taken_over")) {
            takenAway(id, event);
        } else if (before != null) {
            wrong.add(id + " was given to " + holder + " while " + before.holder + " held it");
        }
        Long last = lastGeneration.put(id, generation);
        if (last != null && last >= generation) {
            wrong.add(id + " was given to " + holder + " at generation " + generation + ", which is no new one");
        }
        held.put(id, new Hold(id, holder, generation, event.at(), null, null));
    }

    /** By somebody else: only when its time has run out. */
    private void takenAway(String id, Event event) {
        Hold hold = held.remove(id);
        if (hold == null) {
            wrong.add(id + " was " + event.type() + ", and nobody held it");
        } else if (event.at().isBefore(hold.from.plus(ttl))) {
            wrong.add(id + " was taken from " + hold.holder + " after "
                    + Duration.between(hold.from, event.at()).toMillis() + " ms");
        }
        if (hold != null) {
            over.add(hold.over(event));
        }
    }

    /** By its own holder, with its own generation. */
    private Optional<Hold> giveUp(String id, Event event) {
        Hold hold = held.remove(id);
        if (hold == null
                || !hold.holder.equals(event.actor())
                || !Objects.equals(hold.generation, event.generation())) {
            wrong.add(id + " was " + event.type() + " by " + event.actor() + " with generation " + event.generation()
                    + " when " + (hold == null ? "nobody" : hold.holder + " at " + hold.generation) + " held it");
        }
        Optional<Hold> ended = Optional.ofNullable(hold).map(it -> it.over(event));
        ended.ifPresent(over::add);
        return ended;
    }

    /** Everything that must not have happened. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** The hold that each item was closed by. */
    public Map<String, Hold> closed() {
        return Map.copyOf(closed);
    }

    /** Every hold that is over, in the order of its end. */
    public List<Hold> holds() {
        return List.copyOf(over);
    }

    /** From the first grant to the last close. */
    public Duration took() {
        Instant first = over.stream().map(Hold::from).min(Instant::compareTo).orElse(Instant.EPOCH);
        return Duration.between(first, end());
    }

    /** When the last item was closed. */
    public Instant end() {
        return closed.values().stream()
                .map(hold -> Objects.requireNonNull(hold.until))
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }
}
