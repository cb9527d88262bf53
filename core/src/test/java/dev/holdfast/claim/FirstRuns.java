package dev.holdfast.claim;

import dev.holdfast.claim.Call.Answer;
import dev.holdfast.claim.Subject.DomainEvent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What calls did without anybody being told. A change whose answer is lost is run again, and the caller hears only of
 * the last run. If the first run took effect, the second finds its result, or what has become of it: a grant that
 * expired in between and was taken over is answered as held by another. The events record it all the same, so nothing
 * is left to guess but renewals, which have no events.
 */
final class FirstRuns {
    private static final List<String> GRANTS = List.of("claimed", "taken_over");

    private final List<Call> calls;
    private final List<DomainEvent> events;

    /** @param events of the same resource */
    FirstRuns(List<Call> calls, List<DomainEvent> events) {
        this.calls = calls;
        this.events = events;
    }

    /** The earlier runs that this call may have had. */
    List<Call> of(Call call) {
        if (call.lostAnswers() == 0) {
            return List.of();
        }
        return switch (call.verb()) {
            case CLAIM -> grants(call);
            case HEARTBEAT -> List.of(call.firstRun(0, 0));
            case RELEASE -> endings(call, "released");
            case FAIL -> endings(call, "failed");
            case COMPLETE -> endings(call, "completed");
            case RECLAIM, SWEEP -> List.of(); // histories with faults have none
        };
    }

    /** The grants of its holder that no answer reported, and the one that its own answer reported. */
    private List<Call> grants(Call call) {
        List<Call> runs = new ArrayList<>();
        for (DomainEvent event : events) {
            long generation = event.generation() == null ? 0 : event.generation();
            if (GRANTS.contains(event.type())
                    && call.holder().equals(event.actor())
                    && (!answered(call.holder(), generation) || isGranted(call, generation))) {
                runs.add(call.firstRun(generation, ChronoUnit.MICROS.between(Instant.EPOCH, event.at())));
            }
        }
        return runs;
    }

    private boolean answered(String holder, long generation) {
        return calls.stream().anyMatch(other -> other.holder().equals(holder) && isGranted(other, generation));
    }

    private static boolean isGranted(Call call, long generation) {
        return (call.answer() == Answer.GRANTED || call.answer() == Answer.TAKEN_OVER)
                && call.generation() == generation;
    }

    private List<Call> endings(Call call, String type) {
        boolean recorded = events.stream()
                .anyMatch(event -> event.type().equals(type)
                        && call.holder().equals(event.actor())
                        && Objects.equals(event.generation(), call.shown()));
        return recorded ? List.of(call.firstRun(0, 0)) : List.of();
    }
}
