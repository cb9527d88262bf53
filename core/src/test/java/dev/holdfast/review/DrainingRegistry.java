package dev.holdfast.review;

import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.event.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A pool without processes: a draining reviewer ends when an event tells that its last claim has ended. */
final class DrainingRegistry implements Consumer<Event> {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final Set<String> ENDINGS = Set.of(
            "verdict_submitted",
            "review_reclaimed",
            "reclaimed",
            "review_released",
            "review_revised",
            "review_withdrawn");

    private final Claims claims;
    private final Map<String, Reviewers.Managed> managed;
    private final Map<String, String> endings = new ConcurrentHashMap<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    DrainingRegistry(Claims claims, Map<String, Reviewers.Managed> managed) {
        this.claims = claims;
        this.managed = managed;
        claims.tail().watch(this);
    }

    @Override
    public void accept(Event event) {
        managed.forEach((reviewer, state) -> {
            if (ENDINGS.contains(event.type())
                    && state.state().equals("draining")
                    && claims.held(Kind.REVIEW, reviewer, null).isEmpty()) {
                managed.put(reviewer, new Reviewers.Managed("terminated", state.project()));
                endings.put(reviewer, event.type());
            }
        });
        seen.add(event.type());
    }

    /** The type of the event after which this reviewer ended. */
    String ending(String reviewer) {
        await().atMost(LONG).until(() -> endings.containsKey(reviewer));
        return Objects.requireNonNull(endings.get(reviewer));
    }

    void hasSeen(String type) {
        await().atMost(LONG).until(() -> seen.contains(type));
    }
}
