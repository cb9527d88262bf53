package dev.holdfast.broker.verb.claims;

import dev.holdfast.agent.Agents;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.ClaimJson;
import dev.holdfast.broker.verb.ClaimableKinds;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.ClaimsByKind;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.HolderHeartbeat;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Renewing and releasing claims: {@code heartbeat release}. */
public record HeldClaimVerbs(Shapes shapes, Claims claims, ClaimsByKind byKind, Agents agents, Meters meters) {
    @Definition(
            name = "heartbeat",
            effect = VerbEffect.CHANGE,
            toolsets = {Toolset.CODER, Toolset.REVIEWS, Toolset.WORK, Toolset.TASKS},
            description = """
                    Keep your claims from expiring. With resource and claim_generation: \
                    extends that claim, or returns lost. With your holder alone: extends all your claims, and reports \
                    which were lost. Example: {"holder": "claude-3fa91c"}""")
    record Beat(
            @CommonFields.Holder String holder,

            @Field(value = "the claim to extend; default: all of yours", longest = CommonFields.LONGEST_RESOURCE)
            @Nullable
            String resource,

            @Field("the generation of your claim") @Nullable Long claimGeneration) {}

    /** One renewed claim, or the state of all of them. */
    record Beaten(
            @Inline @Nullable ClaimJson claim,

            @Field("your claims, with their new expiry") @Nullable
            List<ClaimJson> extended,

            @Field("claims you have not confirmed yet by naming them; they expire unless you do") @Nullable
            List<ClaimJson> unconfirmed,

            @Field("claims you have lost; stop working on them") @Nullable
            List<Lost> lost) {}

    record Lost(
            @Field(value = "what you held", longest = CommonFields.LONGEST_RESOURCE)
            String resource,

            @Field("the generation you held") long claimGeneration,

            @Field(value = "why it was taken", longest = Text.LONGEST_NOTE)
            String reason) {}

    @Definition(
            name = "release",
            effect = VerbEffect.CHANGE,
            toolsets = {Toolset.CODER, Toolset.WORK},
            description = """
                    Release a claim so that others can take it. The note goes to the next holder. failed: true \
                    means that you tried and failed; after three failed attempts a work item is parked. \
                    Example: {"resource": "key:deploy", "holder": "claude-3fa91c", "claim_generation": 7, \
                    "note": "tests are red, see log"}""")
    record Release(
            @Field(value = "what you hold, as kind:id", longest = CommonFields.LONGEST_RESOURCE, example = "key:deploy")
            String resource,

            @CommonFields.Holder String holder,

            @Field("the generation of your claim") @Nullable Long claimGeneration,

            @Field(value = "what the next holder should know", longest = Text.LONGEST_NOTE) @Nullable
            String note,

            @Field("the attempt failed; say why in note") boolean failed,

            @Field("keep the current status instead of restoring the one before the claim")
            boolean keepStatus) {}

    record Released(
            @Field("you no longer hold it") boolean released,

            @Field("nobody held it when you called") @Nullable
            Boolean already,

            @Field("it failed too often and needs attention") @Nullable
            Boolean parked,

            @Field("this release was already done; same answer as before") @Nullable
            Boolean replayed) {}

    public List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, Beat.class, Beaten.class, this::heartbeat),
                Verb.of(shapes, Release.class, Released.class, this::release));
    }

    private Beaten heartbeat(Beat given, Call call) {
        String holder = Text.holder(given.holder());
        String resource = given.resource();
        Long generation = given.claimGeneration();
        if (resource == null) {
            if (generation != null) {
                throw new InvalidException("claim_generation was given without resource; give both, or neither");
            }
            return heartbeatOfAll(holder, call);
        }
        Resource parsed = ClaimableKinds.parse(resource);
        if (generation == null) {
            throw fenced(parsed, new Refusal.FenceMissing(parsed));
        }
        HeartbeatOutcome outcome = claims.heartbeat(parsed, new Fence(holder, generation));
        meters.heartbeat(outcome);
        return switch (outcome) {
            case HeartbeatOutcome.Extended extended -> new Beaten(ClaimJson.of(extended.claim()), null, null, null);
            case Refusal refusal -> throw fenced(parsed, refusal);
        };
    }

    private Beaten heartbeatOfAll(String holder, Call call) {
        HolderHeartbeat beat = claims.heartbeat(holder);
        agents.seen(holder);
        meters.heartbeat(beat);
        if (!beat.lost().isEmpty()) {
            call.whenDelivered(() -> claims.markReported(holder, beat.lost()));
        }
        return new Beaten(
                null,
                ClaimJson.of(beat.extended()),
                ClaimJson.of(beat.unconfirmed()),
                beat.lost().stream()
                        .map(lost -> new Lost(lost.resource().toString(), lost.generation(), lost.reason()))
                        .toList());
    }

    private Released release(Release given) {
        Resource resource = ClaimableKinds.parse(given.resource());
        Fence fence = new Fence(Text.holder(given.holder()), given.claimGeneration());
        if (fence.generation() == null) {
            throw fenced(resource, new Refusal.FenceMissing(resource));
        }
        return switch (byKind.of(resource.kind()).release(resource, fence, ending(given))) {
            case EndOutcome.Ended ended ->
                new Released(true, null, Present.ifTrue(ended.parked()), Present.ifTrue(ended.replayed()));
            case Refusal refusal -> notReleased(resource, fence, given.failed(), refusal);
        };
    }

    private Released notReleased(Resource resource, Fence fence, boolean failed, Refusal refusal) {
        if (failed) {
            throw fenced(resource, refusal);
        }
        // released before, perhaps with another note: what counts is who has it now
        boolean released = refusal instanceof Refusal.BadState ended
                && ended.firstOutcome().equals("released");
        Refusal now = released && claims.heartbeat(resource, fence) instanceof Refusal current ? current : refusal;
        if (!isFree(now, fence)) {
            throw fenced(resource, now);
        }
        return new Released(true, true, null, null);
    }

    /**
     * A caller that releases wants the resource to be free, and it is. But the caller must learn if others have, or
     * have had, it since.
     */
    private static boolean isFree(Refusal refusal, Fence fence) {
        return refusal instanceof Refusal.NotHeld
                || (refusal instanceof Refusal.Lost lost
                        && lost.holder() == null
                        && Objects.equals(lost.generation(), fence.generation()));
    }

    private static Ending ending(Release given) {
        String note = given.note();
        if (!given.failed()) {
            return Ending.released(note, given.keepStatus());
        }
        if (given.keepStatus()) {
            throw new InvalidException("failed and keep_status cannot be combined: a failed item is retried or parked");
        }
        return Ending.failed(note, null);
    }

    private RefusedException fenced(Resource resource, Refusal refusal) {
        meters.fenced(resource.kind(), refusal);
        return RefusedException.of(refusal);
    }
}
