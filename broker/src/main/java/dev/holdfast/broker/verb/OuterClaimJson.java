package dev.holdfast.broker.verb;

import dev.holdfast.claim.OuterClaim;
import org.jspecify.annotations.Nullable;

/** The claim that a soft claim depends on, in arguments and results. */
public record OuterClaimJson(
        @Field(value = "the outer resource", longest = CommonFields.LONGEST_RESOURCE)
        String resource,

        @Field("the generation of your claim on it") long claimGeneration) {
    public static @Nullable OuterClaimJson of(@Nullable OuterClaim under) {
        return under == null ? null : new OuterClaimJson(under.resource().toString(), under.generation());
    }
}
