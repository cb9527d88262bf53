package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Closing;
import dev.holdfast.work.WorkClaims;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkLimits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Doing items: {@code claim_work claim_next_work close_work}. */
final class WorkClaimVerbs {
    private static final Field CLAIM = Field.anything(
            "claim", "resource, holder, claim_generation, claimed_at, expires_at; note and displaced if there are any");

    private final WorkItems work;
    private final Claims claims;
    private final Meters meters;
    private final Field ttl;
    private final Field wait;

    WorkClaimVerbs(WorkItems work, Claims claims, Meters meters, Config.Limits limits) {
        this.work = work;
        this.claims = claims;
        this.meters = meters;
        ttl = Field.integer(
                "ttl_seconds",
                1L,
                claims.leases().longest().toSeconds(),
                "how long the claim lasts without a heartbeat; default: 45 minutes or as configured");
        wait = Field.integer(
                "wait_seconds", 0L, limits.longestWait().toSeconds(), "how long to wait for one; default: no wait");
    }

    List<Verb> verbs() {
        return List.of(
                new Verb(
                        "claim_work",
                        """
                        Claim a work item before you start, so that nobody else does; with paths, also reserve the files you will \
                        change, all or nothing. Refused with held (someone has it), not_claimable (blocked, \
                        deferred or closed) or not_found: it is not yours, take another. \
                        Example: {"id": "hf-3k9x", "holder": "claude-3fa91c", "paths": ["src/parser"]}""",
                        List.of(
                                WorkFields.ID,
                                ClaimVerbs.HOLDER,
                                ttl,
                                wait,
                                Field.texts("paths", 1_000, "globs of the files to reserve"),
                                WorkFields.word("repository", "whose files; default: yours, else the item's queue"),
                                ClaimVerbs.REQUEST_ID),
                        List.of(WorkFields.ITEM.must(), CLAIM.must()),
                        Verb.Nature.CHANGE,
                        this::claim),
                new Verb(
                        "claim_next_work",
                        """
                        Claim the next ready work item: most urgent first, then oldest. item is null if there is \
                        none; with wait_seconds it waits for one. Read the item and the previous holder's note, then start. \
                        Example: {"holder": "claude-3fa91c", "queue": "shop", "labels": ["java"], "wait_seconds": 50}""",
                        List.of(
                                ClaimVerbs.HOLDER,
                                WorkFields.QUEUE,
                                WorkFields.LABELS,
                                WorkFields.TYPE,
                                ttl,
                                wait,
                                ClaimVerbs.REQUEST_ID),
                        List.of(WorkFields.ITEM.orNull(), CLAIM),
                        Verb.Nature.TAKE,
                        this::next),
                new Verb(
                        "close_work",
                        """
                        Close a work item: done, or dropped with a reason. Pass the claim_generation of your \
                        claim, unless nobody holds the item. Items that waited for it become ready; next, \
                        if given, claims the next item in the same step. \
                        Example: {"id": "hf-3k9x", "holder": "claude-3fa91c", "claim_generation": 3, "reason": "merged", \
                        "next": {"queue": "shop"}}""",
                        List.of(
                                WorkFields.ID,
                                ClaimVerbs.HOLDER,
                                WorkFields.GENERATION,
                                Field.text("reason", WorkLimits.LONGEST_TEXT, "how it ended"),
                                Field.object(
                                        "next",
                                        "filters for the next item; {} for any",
                                        List.of(WorkFields.QUEUE, WorkFields.LABELS, WorkFields.TYPE, ttl))),
                        List.of(
                                WorkFields.ITEM.must(),
                                Field.flag("replayed", "this claim had already closed it"),
                                Field.object("next", "what you now hold", List.of(WorkFields.ITEM.orNull(), CLAIM))),
                        Verb.Nature.END,
                        this::close));
    }

    private Answer claim(Arguments given) {
        String id = given.text("id");
        if (work.backlog().find(id).isEmpty()) {
            return Answer.refused(RefusalCode.NOT_FOUND, "there is no work item " + id);
        }
        ClaimRequest asked = ClaimRequest.of(WorkItem.resource(id), given.text("holder"))
                .ttl(seconds(given.numberOrNull("ttl_seconds")))
                .requestId(given.textOrNull("request_id"))
                .waiting(Duration.ofSeconds(given.number("wait_seconds", 0)));
        long start = System.nanoTime();
        ClaimOutcome outcome = work.claiming().claim(asked, given.texts("paths"), given.textOrNull("repository"));
        meters.claimed(Kind.WORK, outcome, System.nanoTime() - start);
        return answer(outcome);
    }

    private Answer next(Arguments given) {
        NextRequest asked = wanted(given, given.text("holder"))
                .requestId(given.textOrNull("request_id"))
                .waiting(Duration.ofSeconds(given.number("wait_seconds", 0)));
        long start = System.nanoTime();
        ClaimOutcome outcome = work.claiming().next(asked);
        meters.claimed(Kind.WORK, outcome, System.nanoTime() - start);
        return answer(outcome);
    }

    private static NextRequest wanted(Arguments given, String holder) {
        return NextRequest.of(Kind.WORK, holder)
                .filter(WorkClaims.filter(given.textOrNull("queue"), given.texts("labels"), given.textOrNull("type")))
                .ttl(seconds(given.numberOrNull("ttl_seconds")));
    }

    private Answer close(Arguments given) {
        String holder = Text.holder(given.text("holder"));
        Arguments next = given.objectOrNull("next");
        Closing.Closed closed = work.closing()
                .close(
                        given.text("id"),
                        new Fence(holder, given.numberOrNull("claim_generation")),
                        given.textOrNull("reason"),
                        next == null ? null : wanted(next, holder));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("item", WorkFields.details(closed.item()));
        if (closed.replayed()) {
            json.put("replayed", true);
        }
        ClaimOutcome outcome = closed.next();
        if (outcome == null) {
            return Answer.of(json);
        }
        json.put("next", grant(outcome));
        return withClaim(Answer.of(json), outcome);
    }

    private Answer answer(ClaimOutcome outcome) {
        return outcome instanceof Refusal refusal
                ? ClaimJson.refusal(refusal)
                : withClaim(Answer.of(grant(outcome)), outcome);
    }

    /** Nobody works on what nobody was told of. */
    private Answer withClaim(Answer answer, ClaimOutcome outcome) {
        return outcome instanceof ClaimOutcome.Granted granted
                ? answer.whenUndelivered(() -> claims.release(granted.claim(), null))
                : answer;
    }

    private Map<String, @Nullable Object> grant(ClaimOutcome outcome) {
        return claims.beforeTelling(outcome, () -> told(outcome));
    }

    private Map<String, @Nullable Object> told(ClaimOutcome outcome) {
        Optional<Claim> claim = WorkClaims.granted(outcome);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put(
                "item",
                claim.flatMap(given -> work.backlog().find(given.resource().id()))
                        .map(WorkFields::details)
                        .orElse(null));
        claim.ifPresent(given -> json.put("claim", ClaimVerbs.granted(outcome)));
        return json;
    }

    private static @Nullable Duration seconds(@Nullable Long given) {
        return given == null ? null : Duration.ofSeconds(given);
    }
}
