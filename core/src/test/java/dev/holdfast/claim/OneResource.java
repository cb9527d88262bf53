package dev.holdfast.claim;

import dev.holdfast.claim.Call.Verb;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sequential specification of one resource, for {@link Linearizability}: can this call have had this answer in this
 * state, and what is the state afterwards? Times are those of the answers; {@link #UNTOLD} where no answer gave them.
 *
 * @param holder null: nobody
 * @param endedAs how the last grant that was ended by its holder ended
 */
record OneResource(
        @Nullable String holder,
        long generation,
        long since,
        long until,
        boolean done,
        @Nullable String endedBy,
        long endedGeneration,
        @Nullable Verb endedAs) {
    static final long UNTOLD = -1;

    static final OneResource NEW = new OneResource(null, 0, UNTOLD, UNTOLD, false, null, 0, null);

    /** The state after this call; empty if it cannot have had this answer here. */
    Optional<OneResource> after(Call call) {
        return switch (call.answer()) {
            case GRANTED ->
                call.lostAnswers() > 0 && holds(call.holder(), call.generation())
                        ? when(call.at() == since && call.until() >= until, extended(call.until())) // by its first run
                        : when(holder == null && !done && call.generation() == generation + 1, granted(call));
            case TAKEN_OVER ->
                when(
                        holder != null
                                && holder.equals(call.otherHolder())
                                && call.generation() == generation + 1
                                && (until == UNTOLD || until <= call.at()),
                        granted(call));
            case ALREADY -> when(holds(call.holder(), call.generation()), extended(call.until()));
            case HELD ->
                when(
                        holder != null
                                && holder.equals(call.otherHolder())
                                && (since == UNTOLD || since == call.at())
                                && (until == UNTOLD || until == call.until()),
                        this);
            case EXTENDED -> when(holds(call.holder(), call.shown()) && call.until() >= until, extended(call.until()));
            case ENDED -> when(holds(call.holder(), call.shown()), ended(call));
            case REPLAYED -> when(!holds(call.holder(), call.shown()) && endedBy(call) && endedAs == call.verb(), this);
            case BAD_STATE ->
                when(!holds(call.holder(), call.shown()) && endedBy(call) && endedAs != call.verb(), this);
            case LOST ->
                when(
                        !holds(call.holder(), call.shown())
                                && Objects.equals(holder, call.otherHolder())
                                && call.generation() == generation,
                        this);
            case STALE -> when(call.generation() == generation && call.shown() != generation, this);
            case WRONG_HOLDER ->
                when(call.shown() == generation && !call.holder().equals(holder), this);
            case NOT_HELD -> when(holder == null && call.shown() == generation, this);
            case NOT_FOUND -> Optional.empty();
            case NOT_CLAIMABLE -> when(done, this);
            case RECLAIMED ->
                when(holder != null && (call.verb() == Verb.SWEEP || call.shown() == generation), reclaimed());
            case NOT_RECLAIMED -> when(holder == null || call.shown() != generation, this);
            case UNKNOWN -> ifItHappened(call);
        };
    }

    /** The state after an unanswered call, if it had an effect here; its event may show which grant it made. */
    private Optional<OneResource> ifItHappened(Call call) {
        return switch (call.verb()) {
            case CLAIM ->
                when(
                        !done && (call.generation() == 0 || (call.generation() == generation + 1 && freeAt(call.at()))),
                        new OneResource(
                                call.holder(),
                                generation + 1,
                                call.generation() == 0 ? UNTOLD : call.at(),
                                UNTOLD,
                                false,
                                endedBy,
                                endedGeneration,
                                endedAs));
            case HEARTBEAT -> when(holds(call.holder(), call.shown()), extended(UNTOLD));
            case RELEASE, FAIL, COMPLETE -> when(holds(call.holder(), call.shown()), ended(call));
            case RECLAIM -> when(holder != null && call.shown() == generation, reclaimed());
            case SWEEP -> when(holder != null, reclaimed());
        };
    }

    private boolean freeAt(long at) {
        return holder == null || until == UNTOLD || until <= at;
    }

    private boolean holds(String who, long shown) {
        return who.equals(holder) && shown == generation;
    }

    private boolean endedBy(Call call) {
        return call.holder().equals(endedBy) && call.shown() == endedGeneration;
    }

    private OneResource granted(Call call) {
        return new OneResource(
                call.holder(), call.generation(), call.at(), call.until(), false, endedBy, endedGeneration, endedAs);
    }

    private OneResource extended(long later) {
        return new OneResource(holder, generation, since, later, done, endedBy, endedGeneration, endedAs);
    }

    private OneResource ended(Call call) {
        return new OneResource(
                null, generation, UNTOLD, UNTOLD, call.verb() == Verb.COMPLETE, call.holder(), generation, call.verb());
    }

    private OneResource reclaimed() {
        return new OneResource(null, generation + 1, UNTOLD, UNTOLD, done, endedBy, endedGeneration, endedAs);
    }

    private static Optional<OneResource> when(boolean possible, OneResource next) {
        return possible ? Optional.of(next) : Optional.empty();
    }
}
