package dev.holdfast.claim;

import dev.holdfast.claim.Call.Answer;
import dev.holdfast.claim.Call.Verb;
import dev.holdfast.claim.Subject.DomainEvent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks a concurrent history against everything that must always be true of claims. */
public final class HistoryCheck {
    private HistoryCheck() {}

    /** An event as read from a database. */
    public static DomainEvent event(
            Instant at, String type, String resource, @Nullable String actor, @Nullable Long generation) {
        return new DomainEvent(at, type, Resource.parse(resource), actor, generation);
    }

    /**
     * What is wrong judging by the events alone, and by what callers were told of them; for histories across a
     * failover, where generations jump and claims end without a call, and across brokers, whose lost answers nobody
     * reports.
     */
    public static List<String> brokenByEvents(List<Call> calls, List<DomainEvent> events) {
        List<String> wrong = new ArrayList<>(Invariants.broken(events));
        wrong.addAll(Invariants.generationsThatDoNotGrow(events));
        wrong.addAll(takenTooEarly(calls, events));
        Map<String, Long> recorded = recorded(events);
        wrong.addAll(acceptedButNotRecorded(accepted(calls, recorded), recorded));
        return wrong;
    }

    /**
     * Everything that is wrong; the events must be complete and in the order of their ids. Where connections broke, a
     * call may have been run more than once; the events then show what it did before the run that was answered.
     */
    static List<String> broken(List<Call> calls, List<DomainEvent> events) {
        List<String> wrong = new ArrayList<>(Invariants.broken(events));
        wrong.addAll(Invariants.generationsThatDoNotGrow(events));
        wrong.addAll(takenTooEarly(calls, events));
        wrong.addAll(acceptedWithoutItsEvent(calls, events));
        calls.stream()
                .collect(Collectors.groupingBy(Call::resource))
                .forEach((resource, its) -> Linearizability.broken(
                                its, new FirstRuns(its, eventsOf(resource, events))::of)
                        .ifPresent(why -> wrong.add(resource + " is not linearizable: " + why)));
        return wrong;
    }

    private static List<DomainEvent> eventsOf(String resource, List<DomainEvent> events) {
        return events.stream()
                .filter(event -> event.resource().toString().equals(resource))
                .toList();
    }

    private record Grant(String resource, long generation) {}

    /** No grant is taken over before the latest expiry that its holder was told. */
    private static List<String> takenTooEarly(List<Call> calls, List<DomainEvent> events) {
        Map<Grant, Long> promised = new HashMap<>();
        for (Call call : calls) {
            if (call.until() > 0 && call.answer() != Answer.HELD) {
                promised.merge(new Grant(call.resource(), call.generation()), call.until(), Math::max);
            }
        }
        List<String> wrong = new ArrayList<>();
        for (DomainEvent event : events) {
            if (event.type().equals("taken_over")) {
                long before = Objects.requireNonNull(event.generation()) - 1;
                Long until = promised.get(new Grant(event.resource().toString(), before));
                long at = ChronoUnit.MICROS.between(Instant.EPOCH, event.at());
                if (until != null && at < until) {
                    wrong.add(event + ": taken over " + (until - at) + " µs before it ran out");
                }
            }
        }
        return wrong;
    }

    /** Each accepted change has exactly one event, and each event has a call that was accepted or not answered. */
    private static List<String> acceptedWithoutItsEvent(List<Call> calls, List<DomainEvent> events) {
        Map<String, Long> recorded = recorded(events);
        Map<String, Long> accepted = accepted(calls, recorded);
        List<String> wrong = acceptedButNotRecorded(accepted, recorded);
        long unknown = calls.stream()
                .mapToLong(call -> call.lostAnswers() + (call.unknown() ? 1 : 0))
                .sum();
        long surplus = recorded.entrySet().stream()
                .mapToLong(entry -> entry.getValue() - accepted.getOrDefault(entry.getKey(), 0L))
                .filter(more -> more > 0)
                .sum();
        if (surplus > unknown) {
            wrong.add(surplus + " events tell of changes that nobody was answered; only " + unknown
                    + " answers were lost");
        }
        return wrong;
    }

    private static Map<String, Long> recorded(List<DomainEvent> events) {
        return events.stream()
                .filter(event -> !event.type().equals("created"))
                .collect(Collectors.groupingBy(HistoryCheck::nameOf, Collectors.counting()));
    }

    private static Map<String, Long> accepted(List<Call> calls, Map<String, Long> recorded) {
        return calls.stream()
                .filter(HistoryCheck::changes)
                .collect(Collectors.groupingBy(call -> nameOf(call, recorded), Collectors.counting()));
    }

    private static List<String> acceptedButNotRecorded(Map<String, Long> accepted, Map<String, Long> recorded) {
        List<String> wrong = new ArrayList<>();
        accepted.forEach((name, times) -> {
            long events = recorded.getOrDefault(name, 0L);
            if (events < times || (events > 1 && !name.startsWith("reclaimed"))) {
                wrong.add(name + " was accepted " + times + " times and told " + events + " times");
            }
        });
        return wrong;
    }

    private static boolean changes(Call call) {
        return switch (call.answer()) {
            case GRANTED, TAKEN_OVER, ENDED, RECLAIMED -> true;
            case ALREADY,
                    HELD,
                    EXTENDED,
                    REPLAYED,
                    LOST,
                    STALE,
                    WRONG_HOLDER,
                    NOT_HELD,
                    NOT_FOUND,
                    NOT_CLAIMABLE,
                    BAD_STATE,
                    NOT_RECLAIMED,
                    UNKNOWN -> false;
        };
    }

    private static String nameOf(DomainEvent event) {
        return event.type().equals("reclaimed")
                ? "reclaimed " + event.resource()
                : event.type() + " " + event.resource() + " " + event.actor() + " " + event.generation();
    }

    /** If the answer to a takeover was lost, the second run reports it as a plain grant. */
    private static String nameOf(Call call, Map<String, Long> recorded) {
        String name = nameOf(call);
        return call.lostAnswers() > 0 && call.answer() == Answer.GRANTED && !recorded.containsKey(name)
                ? name.replace("claimed", "taken_over")
                : name;
    }

    private static String nameOf(Call call) {
        if (call.answer() == Answer.RECLAIMED) {
            return "reclaimed " + call.resource();
        }
        Function<String, String> named =
                type -> type + " " + call.resource() + " " + call.holder() + " " + call.generation();
        return switch (call.verb()) {
            case CLAIM -> named.apply(call.answer() == Answer.TAKEN_OVER ? "taken_over" : "claimed");
            case RELEASE -> named.apply("released");
            case FAIL -> named.apply("failed");
            case COMPLETE -> named.apply("completed");
            case HEARTBEAT, RECLAIM, SWEEP -> throw new IllegalStateException(Verb.class + " " + call);
        };
    }
}
