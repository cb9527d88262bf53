package dev.holdfast.broker.verb.claims;

import dev.holdfast.broker.verb.ClaimJson;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import org.jspecify.annotations.Nullable;

/** A granted claim and its circumstances. */
public record Grant(@Inline ClaimJson claim, @Inline Circumstances circumstances) {
    /** What a granting verb returns besides the claim. */
    public record Circumstances(
            @Field(value = "note from the previous holder", longest = Text.LONGEST_NOTE) @Nullable
            String note,

            @Field("the expired claim that you took over") @Nullable
            Displaced displaced,

            @Field("you already held it; the claim was extended") @Nullable
            Boolean alreadyHeld) {
        static final Circumstances NONE = new Circumstances(null, null, null);
    }

    /** The previous holder, whose lease had expired. */
    public record Displaced(
            @Field("who held it") String holder,

            @Field("its generation") long claimGeneration) {}

    /**
     * Null when there was nothing to claim.
     *
     * @throws RefusedException when it was refused
     */
    public static @Nullable Grant of(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted ->
                new Grant(
                        ClaimJson.of(granted.claim()),
                        new Circumstances(granted.note(), displaced(granted.displaced()), null));
            case ClaimOutcome.AlreadyHeld already ->
                new Grant(ClaimJson.of(already.claim()), new Circumstances(already.note(), null, true));
            case ClaimOutcome.Nothing _ -> null;
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    private static @Nullable Displaced displaced(ClaimOutcome.@Nullable Displaced displaced) {
        return displaced == null ? null : new Displaced(displaced.holder(), displaced.generation());
    }
}
