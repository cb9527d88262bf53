package dev.holdfast.broker.verb.claims;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.ClaimJson;
import dev.holdfast.broker.verb.ClaimableKinds;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.OuterClaimJson;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.ClaimsByKind;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.OuterClaim;
import dev.holdfast.claim.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Claiming: {@code claim claim_next}.
 *
 * @param reviews claims reviews for a caller, since not everybody may claim every review
 */
public record ClaimVerbs(Shapes shapes, ClaimsByKind byKind, Function<Caller, KindClaims> reviews, Meters meters) {
    static final String TTL = "lifetime without a heartbeat; default: that of its kind";
    static final String WAIT = "how long to wait if nothing is available; default: no wait";

    @Definition(name = "claim", effect = VerbEffect.CHANGE, toolsets = Toolset.WORK, description = """
                    Claim a named resource before you work on it, so that nobody else does. The grant has a \
                    claim_generation: pass it to heartbeat and release. Refused with code held if someone else has it; \
                    take something else, or retry with wait_seconds. \
                    Example: {"resource": "key:deploy", "holder": "claude-3fa91c", "wait_seconds": 30}""")
    record Take(
            @Field(
                    value = "what to claim, as kind:id; kinds: {kinds}",
                    longest = CommonFields.LONGEST_RESOURCE,
                    example = "key:deploy")
            String resource,

            @CommonFields.Holder String holder,

            @Field(value = TTL, min = 1, upTo = Limit.LEASE) @Nullable
            Duration ttlSeconds,

            @Field(value = WAIT, upTo = Limit.WAIT) Duration waitSeconds,

            @Field("the outer claim that a soft claim depends on") @Nullable
            OuterClaimJson under,

            @Field("of a claim on it that you already hold: extends that claim") @Nullable
            Long claimGeneration,

            @CommonFields.RequestId @Nullable String requestId) {}

    @Definition(name = "claim_next", effect = VerbEffect.TAKE, toolsets = Toolset.WORK, description = """
                    Claim the next ready resource of a kind: most urgent first, then oldest. resource is null \
                    if nothing is ready; with wait_seconds it waits for one. \
                    Example: {"kind": "work", "holder": "claude-3fa91c", "queue": "backend", "wait_seconds": 55}""")
    record TakeNext(
            @Field(
                    value = "the kind to claim",
                    longest = 20,
                    words = {"review", "work", "step", "finalization"})
            Kind kind,

            @CommonFields.Holder String holder,

            @Field("only from this queue") @Nullable String queue,

            @Field(value = "only items with all of these labels", longest = 100)
            Set<String> labels,

            @Field(value = TTL, min = 1, upTo = Limit.LEASE) @Nullable
            Duration ttlSeconds,

            @Field(value = WAIT, upTo = Limit.WAIT) Duration waitSeconds,

            @CommonFields.RequestId @Nullable String requestId) {}

    /** A claim, or none. */
    record NextGrant(
            @Field(
                    value = "what you now hold; null if nothing is ready",
                    longest = CommonFields.LONGEST_RESOURCE,
                    orNull = true,
                    example = "work:42")
            @Nullable
            String resource,

            @Inline ClaimJson.@Nullable Terms terms,
            @Inline Grant.Circumstances circumstances) {
        static NextGrant of(@Nullable Grant grant) {
            return grant == null
                    ? new NextGrant(null, null, Grant.Circumstances.NONE)
                    : new NextGrant(grant.claim().resource(), grant.claim().terms(), grant.circumstances());
        }
    }

    public List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, Take.class, Grant.class, this::take),
                Verb.of(shapes, TakeNext.class, NextGrant.class, this::takeNext));
    }

    private Grant take(Take given, Call call) {
        Resource resource = ClaimableKinds.parse(given.resource());
        OuterClaimJson under = given.under();
        ClaimRequest asked = new ClaimRequest(
                resource,
                given.holder(),
                given.ttlSeconds(),
                given.requestId(),
                given.claimGeneration(),
                given.waitSeconds(),
                under == null ? null : new OuterClaim(ClaimableKinds.parse(under.resource()), under.claimGeneration()));
        return Objects.requireNonNull(
                grant(resource.kind(), () -> kindClaims(resource.kind(), call).claim(asked), call));
    }

    private NextGrant takeNext(TakeNext given, Call call) {
        NextRequest asked = new NextRequest(
                given.kind(),
                new Filter(given.queue(), given.labels()),
                given.holder(),
                given.ttlSeconds(),
                given.requestId(),
                given.waitSeconds());
        return NextGrant.of(
                grant(given.kind(), () -> kindClaims(given.kind(), call).claimNext(asked), call));
    }

    private KindClaims kindClaims(Kind kind, Call call) {
        return kind == Kind.REVIEW ? reviews.apply(call.caller()) : byKind.of(kind);
    }

    private @Nullable Grant grant(Kind kind, Supplier<ClaimOutcome> claim, Call call) {
        long start = System.nanoTime();
        ClaimOutcome outcome = claim.get();
        meters.claimed(kind, outcome, System.nanoTime() - start);
        if (outcome instanceof ClaimOutcome.Granted granted) {
            call.whenUndelivered(() -> giveUp(granted.claim()));
        }
        return Grant.of(outcome);
    }

    /** Releases a grant that was never delivered. */
    private void giveUp(Claim claim) {
        byKind.of(claim.resource().kind()).release(claim.resource(), claim.fence(), Ending.released(null));
    }
}
