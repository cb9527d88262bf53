package dev.holdfast.broker.verb;

import dev.holdfast.claim.Claim;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A claim as callers see it. */
public record ClaimJson(
        @Field(value = "what is claimed, as kind:id", longest = CommonFields.LONGEST_RESOURCE, example = "key:deploy")
        String resource,

        @Inline Terms terms) {
    /** Who holds it, and until when. */
    public record Terms(
            @Field(value = "who holds it", example = "claude-3fa91c")
            String holder,

            @Field(value = "pass it with every change", example = "1")
            long claimGeneration,

            @Field("since when") Instant claimedAt,

            @Field("when it expires, unless a heartbeat extends it")
            Instant expiresAt,

            @Field("the outer claim that a soft claim depends on") @Nullable
            OuterClaimJson under) {}

    public static ClaimJson of(Claim claim) {
        return new ClaimJson(
                claim.resource().toString(),
                new Terms(
                        claim.holder(),
                        claim.generation(),
                        claim.claimedAt(),
                        claim.expiresAt(),
                        OuterClaimJson.of(claim.under())));
    }

    public static List<ClaimJson> of(List<Claim> claims) {
        return claims.stream().map(ClaimJson::of).toList();
    }
}
