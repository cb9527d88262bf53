package dev.holdfast.broker.verb;

import dev.holdfast.claim.Under;
import org.jspecify.annotations.Nullable;

/** The claim that a soft claim depends on, in arguments and results. */
public record OuterClaim(
        @Field(value = "the outer resource", longest = CommonFields.LONGEST_RESOURCE)
        String resource,

        @Field("the generation of your claim on it") long claimGeneration) {
    public static @Nullable OuterClaim of(@Nullable Under under) {
        return under == null ? null : new OuterClaim(under.resource().toString(), under.generation());
    }
}
