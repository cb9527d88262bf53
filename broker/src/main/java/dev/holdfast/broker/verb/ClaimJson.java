package dev.holdfast.broker.verb;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.Under;
import dev.holdfast.work.Overlap;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims and refusals as every door tells them. */
final class ClaimJson {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    static final Field UNDER = Field.object(
            "under",
            "the outer claim that a soft claim depends on",
            List.of(
                    Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "the outer resource")
                            .must(),
                    Field.integer("claim_generation", 0L, null, "the generation of your claim on it")
                            .must()));

    static final List<Field> CLAIM = List.of(
            Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "what is claimed, as kind:id")
                    .must()
                    .example("key:deploy"),
            Field.text("holder", 200, "who holds it").must().example("claude-3fa91c"),
            Field.integer("claim_generation", 0L, null, "pass it with every change")
                    .must()
                    .example(1),
            Field.time("claimed_at", "since when").must(),
            Field.time("expires_at", "when it expires, unless a heartbeat extends it")
                    .must(),
            UNDER);

    /** What a refusal can tell; which of it, depends on the code. */
    static final List<Field> REFUSAL = List.of(
            Field.text("error", Text.LONGEST_NOTE, "what happened and what to do, for people")
                    .must(),
            Field.text("code", 20, "error code for programs")
                    .oneOf(Arrays.stream(RefusalCode.values())
                            .map(RefusalCode::toString)
                            .toList())
                    .must(),
            Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "what it is about"),
            Field.text("holder", Text.LONGEST_HOLDER, "who holds it now"),
            Field.integer("claim_generation", 0L, null, "its generation now"),
            Field.time("claimed_at", "when it was claimed"),
            Field.time("expires_at", "when it expires"),
            UNDER,
            Field.text("state", 200, "why it cannot be claimed"),
            Field.text("outcome", 200, "how the claim ended before"),
            Field.text("validation_error", Text.LONGEST_NOTE, "why a diff does not apply"),
            Field.texts("findings", 20, "ids of the blocking findings"),
            Field.objects(
                    "missing",
                    "parts of the content that must be read first, as get_proposal takes them",
                    List.of(
                            Field.integer("offset", 0L, null, "from this character on")
                                    .must(),
                            Field.integer("limit", 1L, null, "so many").must())),
            Field.objects("overlaps", "conflicting reservations", ReservationVerbs.OVERLAP),
            Field.texts("candidates", 300, "ids that begin as the one given"),
            Field.text("id", 20, "what to look for in the broker's log"));

    private ClaimJson() {}

    static String time(Instant time) {
        return TIME.format(time);
    }

    static Map<String, @Nullable Object> claim(Claim claim) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("resource", claim.resource().toString());
        json.put("holder", claim.holder());
        json.put("claim_generation", claim.generation());
        json.put("claimed_at", time(claim.claimedAt()));
        json.put("expires_at", time(claim.expiresAt()));
        putUnder(json, claim.under());
        return json;
    }

    static List<Map<String, @Nullable Object>> claims(List<Claim> claims) {
        return claims.stream().map(ClaimJson::claim).toList();
    }

    static Map<String, @Nullable Object> displaced(Displaced displaced) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("holder", displaced.holder());
        json.put("claim_generation", displaced.generation());
        return json;
    }

    static Answer refused(RefusedException refused) {
        Refusal refusal = refused.refusal();
        Map<String, @Nullable Object> details = refusal == null ? new LinkedHashMap<>() : details(refusal);
        refused.details().forEach((name, value) -> details.put(name, detail(value)));
        return Answer.refused(refused.code(), String.valueOf(refused.getMessage()), details);
    }

    private static Object detail(Object value) {
        return switch (value) {
            case Overlap overlap -> ReservationVerbs.told(overlap);
            case List<?> several -> several.stream().map(ClaimJson::detail).toList();
            default -> value;
        };
    }

    static Answer refusal(Refusal refusal) {
        return Answer.refused(refusal.code(), refusal.message(), details(refusal));
    }

    private static Map<String, @Nullable Object> details(Refusal refusal) {
        Map<String, @Nullable Object> details = new LinkedHashMap<>();
        switch (refusal) {
            case Refusal.Held held -> {
                details.put("resource", held.resource().toString());
                details.put("holder", held.holder());
                details.put("claimed_at", time(held.since()));
                details.put("expires_at", time(held.expiresAt()));
                putUnder(details, held.under());
            }
            case Refusal.NotClaimable blocked -> {
                details.put("resource", blocked.resource().toString());
                details.put("state", blocked.state());
            }
            case Refusal.NotFound missing ->
                details.put("resource", missing.resource().toString());
            case Refusal.Lost lost -> {
                details.put("resource", lost.resource().toString());
                ClaimVerbs.putIfGiven(details, "holder", lost.holder());
                details.put("claim_generation", lost.generation());
            }
            case Refusal.FenceMissing missing ->
                details.put("resource", missing.resource().toString());
            case Refusal.Stale stale -> {
                details.put("resource", stale.resource().toString());
                details.put("claim_generation", stale.current());
            }
            case Refusal.WrongHolder wrong -> {
                details.put("resource", wrong.resource().toString());
                details.put("holder", wrong.current());
            }
            case Refusal.NotHeld free -> details.put("resource", free.resource().toString());
            case Refusal.BadState ended -> {
                details.put("resource", ended.resource().toString());
                details.put("outcome", ended.firstOutcome());
            }
            case Refusal.ByItsRules rules -> details.put("resource", rules.what());
            case Refusal.Busy _ -> {}
        }
        return details;
    }

    private static void putUnder(Map<String, @Nullable Object> json, @Nullable Under under) {
        if (under != null) {
            Map<String, @Nullable Object> outer = new LinkedHashMap<>();
            outer.put("resource", under.resource().toString());
            outer.put("claim_generation", under.generation());
            json.put("under", outer);
        }
    }
}
