package dev.holdfast.broker.verb;

import dev.holdfast.agent.Agents;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.ClaimsByKind;
import dev.holdfast.claim.Displacement;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.HolderHeartbeat;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeping and letting go of what one holds: {@code heartbeat release}. */
public final class HoldingVerbs {
    private static final Field GENERATION = Field.integer("claim_generation", 0L, null, "the generation of your claim");

    private final Claims claims;
    private final ClaimsByKind byKind;
    private final Agents agents;
    private final Meters meters;

    public HoldingVerbs(Claims claims, ClaimsByKind byKind, Agents agents, Meters meters) {
        this.claims = claims;
        this.byKind = byKind;
        this.agents = agents;
        this.meters = meters;
    }

    public List<Verb> verbs() {
        return List.of(
                heartbeat().in(Toolset.REVIEWS, Toolset.WORK, Toolset.TASKS),
                release().in(Toolset.WORK));
    }

    private Verb heartbeat() {
        Field lost = Field.objects(
                "lost",
                "claims you have lost; stop working on them",
                List.of(
                        Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "what you held")
                                .must(),
                        Field.integer("claim_generation", 0L, null, "the generation you held")
                                .must(),
                        Field.text("reason", Text.LONGEST_NOTE, "why it was taken")
                                .must()));
        return new Verb(
                "heartbeat",
                """
                Keep your claims from expiring. With resource and claim_generation: \
                extends that claim, or answers lost. With your holder alone: extends all your claims, and tells \
                which were lost. Example: {"holder": "claude-3fa91c"}""",
                List.of(
                        ClaimVerbs.HOLDER,
                        Field.text(
                                "resource", ClaimVerbs.LONGEST_RESOURCE, "the claim to extend; default: all of yours"),
                        GENERATION),
                Stream.concat(
                                ClaimJson.CLAIM.stream().map(Field::maybe),
                                Stream.of(
                                        Field.objects(
                                                "extended", "your claims, with their new expiry", ClaimJson.CLAIM),
                                        Field.objects(
                                                "unconfirmed",
                                                "claims you have not confirmed yet by naming them; they expire unless you do",
                                                ClaimJson.CLAIM),
                                        lost))
                        .toList(),
                Verb.Nature.CHANGE,
                this::heartbeat);
    }

    private Answer heartbeat(Arguments given) {
        String holder = Text.holder(given.text("holder"));
        String resource = given.textOrNull("resource");
        Long generation = given.numberOrNull("claim_generation");
        if (resource == null) {
            if (generation != null) {
                throw new InvalidException("claim_generation was given without resource; give both, or neither");
            }
            return heartbeat(holder);
        }
        Resource parsed = OpenKinds.parse(resource);
        if (generation == null) {
            return fenced(parsed, new Refusal.FenceMissing(parsed));
        }
        HeartbeatOutcome outcome = claims.heartbeat(parsed, new Fence(holder, generation));
        meters.heartbeat(outcome);
        return switch (outcome) {
            case HeartbeatOutcome.Extended extended -> Answer.of(ClaimJson.claim(extended.claim()));
            case Refusal refusal -> fenced(parsed, refusal);
        };
    }

    private Answer heartbeat(String holder) {
        HolderHeartbeat beat = claims.heartbeat(holder);
        agents.seen(holder);
        meters.heartbeat(beat);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("extended", ClaimJson.claims(beat.extended()));
        json.put("unconfirmed", ClaimJson.claims(beat.unconfirmed()));
        json.put("lost", beat.lost().stream().map(HoldingVerbs::lost).toList());
        Answer answer = Answer.of(json);
        return beat.lost().isEmpty() ? answer : answer.whenDelivered(() -> claims.told(holder, beat.lost()));
    }

    private static Map<String, @Nullable Object> lost(Displacement displacement) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("resource", displacement.resource().toString());
        json.put("claim_generation", displacement.generation());
        json.put("reason", displacement.reason());
        return json;
    }

    private Verb release() {
        return new Verb(
                "release",
                """
                Release a claim so that others can take it. The note goes to the next holder. failed: true \
                means that you tried and failed; after three failed attempts a work item is parked. \
                Example: {"resource": "key:deploy", "holder": "claude-3fa91c", "claim_generation": 7, \
                "note": "tests are red, see log"}""",
                List.of(
                        ClaimVerbs.RESOURCE,
                        ClaimVerbs.HOLDER,
                        GENERATION,
                        Field.text("note", Text.LONGEST_NOTE, "what the next holder should know"),
                        Field.flag("failed", "the attempt failed; say why in note"),
                        Field.flag(
                                "keep_status",
                                "keep the current status instead of restoring the one before the claim")),
                List.of(
                        Field.flag("released", "you no longer hold it").must(),
                        Field.flag("already", "nobody held it when you called"),
                        Field.flag("parked", "it failed too often and needs attention"),
                        Field.flag("replayed", "this release was already done; same answer as before")),
                Verb.Nature.CHANGE,
                this::release);
    }

    private Answer release(Arguments given) {
        Resource resource = OpenKinds.parse(given.text("resource"));
        Fence fence = new Fence(Text.holder(given.text("holder")), given.numberOrNull("claim_generation"));
        if (fence.generation() == null) {
            return fenced(resource, new Refusal.FenceMissing(resource));
        }
        Ending ending = ending(given);
        return switch (byKind.of(resource.kind()).release(resource, fence, ending)) {
            case EndOutcome.Ended ended -> {
                Map<String, @Nullable Object> json = new LinkedHashMap<>();
                json.put("released", true);
                if (ended.parked()) {
                    json.put("parked", true);
                }
                if (ended.replayed()) {
                    json.put("replayed", true);
                }
                yield Answer.of(json);
            }
            case Refusal refusal -> notReleased(resource, fence, given.flag("failed"), refusal);
        };
    }

    private Answer notReleased(Resource resource, Fence fence, boolean failed, Refusal refusal) {
        if (failed) {
            return fenced(resource, refusal);
        }
        // with another note, say: what counts is who has it now
        boolean released = refusal instanceof Refusal.BadState ended
                && ended.firstOutcome().equals("released");
        Refusal now = released && claims.heartbeat(resource, fence) instanceof Refusal current ? current : refusal;
        return isFree(now, fence) ? Answer.of(JsonObject.of("released", true, "already", true)) : fenced(resource, now);
    }

    /** Whoever releases wants it free, and so it is. That others have, or have had, it since, it must learn. */
    private static boolean isFree(Refusal refusal, Fence fence) {
        return refusal instanceof Refusal.NotHeld
                || (refusal instanceof Refusal.Lost lost
                        && lost.holder() == null
                        && Objects.equals(lost.generation(), fence.generation()));
    }

    private static Ending ending(Arguments given) {
        String note = given.textOrNull("note");
        if (!given.flag("failed")) {
            return Ending.released(note, given.flag("keep_status"));
        }
        if (given.flag("keep_status")) {
            throw new InvalidException("failed and keep_status cannot be combined: a failed item is retried or parked");
        }
        return Ending.failed(note == null ? "no reason given" : note, null);
    }

    private Answer fenced(Resource resource, Refusal refusal) {
        meters.fenced(resource.kind(), refusal);
        return ClaimJson.refusal(refusal);
    }
}
