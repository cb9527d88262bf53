package dev.holdfast.claim;

import dev.holdfast.claim.Call.Answer;
import dev.holdfast.claim.Call.Verb;
import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.StoreObserver;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes calls and records when each began and ended and what the answer was. */
final class CallRecorder {
    private final Claims claims;
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final Queue<Long> lostAnswers = new ConcurrentLinkedQueue<>();

    private CallRecorder(Claims claims) {
        this.claims = claims;
    }

    /**
     * The store reports, too, when it does not know the outcome of a change, which may belong to any call in progress.
     */
    static CallRecorder on(Claims claims, Store store) {
        CallRecorder recorder = new CallRecorder(claims);
        store.observer(new StoreObserver() {
            @Override
            public void answerLost() {
                recorder.lostAnswers.add(System.nanoTime());
            }
        });
        return recorder;
    }

    private int lostAnswers(long invoked, long returned) {
        return (int) lostAnswers.stream()
                .filter(at -> at >= invoked && at <= returned)
                .count();
    }

    List<Call> calls() {
        return List.copyOf(calls);
    }

    private record Answered(Answer answer, @Nullable String otherHolder, long generation, long at, long until) {
        static Answered of(Answer answer) {
            return new Answered(answer, null, 0, 0, 0);
        }
    }

    /** The claim, if it was granted. */
    Optional<Claim> claim(Resource resource, String holder) {
        List<Claim> got = new ArrayList<>(1);
        record(Verb.CLAIM, resource, holder, 0, () -> switch (claims.claim(ClaimRequest.of(resource, holder))) {
            case Granted granted -> {
                got.add(granted.claim());
                yield granted.displaced() == null
                        ? of(Answer.GRANTED, null, granted.claim())
                        : of(Answer.TAKEN_OVER, granted.displaced().holder(), granted.claim());
            }
            case AlreadyHeld already -> of(Answer.ALREADY, null, already.claim());
            case Nothing _ -> throw new IllegalStateException("a claim by name found nothing");
            case Refusal refusal -> refused(refusal);
        });
        return got.stream().findFirst();
    }

    void heartbeat(Claim claim) {
        record(Verb.HEARTBEAT, claim.resource(), claim.holder(), claim.generation(), () -> switch (claims.heartbeat(
                claim.resource(), claim.fence())) {
            case HeartbeatOutcome.Extended extended -> of(Answer.EXTENDED, null, extended.claim());
            case Refusal refusal -> refused(refusal);
        });
    }

    void end(Claim claim, Verb verb) {
        Ending ending = switch (verb) {
            case RELEASE -> Ending.released(null);
            case FAIL -> Ending.failed("broke", null);
            case COMPLETE -> Ending.completed("done");
            case CLAIM, HEARTBEAT, RECLAIM, SWEEP -> throw new IllegalArgumentException(verb.toString());
        };
        record(verb, claim.resource(), claim.holder(), claim.generation(), () -> switch (claims.end(
                claim.resource(), claim.fence(), ending)) {
            case EndOutcome.Ended ended ->
                new Answered(ended.replayed() ? Answer.REPLAYED : Answer.ENDED, null, ended.generation(), 0, 0);
            case Refusal refusal -> refused(refusal);
        });
    }

    void reclaim(Resource resource, long generation) {
        record(
                Verb.RECLAIM,
                resource,
                "broker",
                generation,
                () -> Answered.of(
                        claims.reclaim(resource, generation, "operator") ? Answer.RECLAIMED : Answer.NOT_RECLAIMED));
    }

    /** One call on many resources: recorded once for each that it reclaimed. */
    void sweep(List<Resource> all) {
        long invoked = System.nanoTime();
        List<Resource> swept;
        Answer answer = Answer.RECLAIMED;
        try {
            swept = claims.sweep(100);
        } catch (StoreException _) {
            swept = all;
            answer = Answer.UNKNOWN;
        }
        long returned = System.nanoTime();
        for (Resource resource : swept) {
            calls.add(new Call(
                    Verb.SWEEP, resource.toString(), "broker", 0, answer, null, 0, 0, 0, invoked, returned, 0));
        }
    }

    private void record(Verb verb, Resource resource, String holder, long shown, Supplier<Answered> call) {
        long invoked = System.nanoTime();
        Answered answered;
        try {
            answered = call.get();
        } catch (StoreException _) {
            answered = Answered.of(Answer.UNKNOWN);
        }
        long returned = System.nanoTime();
        calls.add(new Call(
                verb,
                resource.toString(),
                holder,
                shown,
                answered.answer,
                answered.otherHolder,
                answered.generation,
                answered.at,
                answered.until,
                invoked,
                returned,
                lostAnswers(invoked, returned)));
    }

    private static Answered of(Answer answer, @Nullable String otherHolder, Claim claim) {
        return new Answered(
                answer, otherHolder, claim.generation(), micros(claim.claimedAt()), micros(claim.expiresAt()));
    }

    private static Answered refused(Refusal refusal) {
        return switch (refusal) {
            case Refusal.Held held ->
                new Answered(Answer.HELD, held.holder(), 0, micros(held.since()), micros(held.expiresAt()));
            case Refusal.Lost lost -> new Answered(Answer.LOST, lost.holder(), lost.generation(), 0, 0);
            case Refusal.Stale stale -> new Answered(Answer.STALE, null, stale.current(), 0, 0);
            case Refusal.WrongHolder wrong -> new Answered(Answer.WRONG_HOLDER, wrong.current(), 0, 0, 0);
            case Refusal.NotHeld _ -> Answered.of(Answer.NOT_HELD);
            case Refusal.NotFound _ -> Answered.of(Answer.NOT_FOUND);
            case Refusal.NotClaimable _ -> Answered.of(Answer.NOT_CLAIMABLE);
            case Refusal.BadState _ -> Answered.of(Answer.BAD_STATE);
            case Refusal.Busy _ -> Answered.of(Answer.UNKNOWN);
            case Refusal.FenceMissing _ -> throw new IllegalStateException("every fence here is whole");
            case Refusal.ByItsRules _ -> throw new IllegalStateException("these things belong to no domain");
        };
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
