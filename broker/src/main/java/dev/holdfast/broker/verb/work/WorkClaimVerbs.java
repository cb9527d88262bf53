package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.broker.verb.claims.Grant;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.work.ItemClosing;
import dev.holdfast.work.WorkClaims;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkLimits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Working on items: {@code claim_work claim_next_work close_work}.
 *
 * @param fenced counts calls refused because of their fence; claims have none
 */
record WorkClaimVerbs(
        Shapes shapes, WorkItems work, Claims claims, Meters meters, UnaryOperator<RefusedException> fenced) {
    static final String CLAIM =
            "resource, holder, claim_generation, claimed_at, expires_at; note and displaced if there are any";
    static final String TTL = "lifetime without a heartbeat; default: 45 minutes or as configured";
    static final String WAIT = "how long to wait for one; default: no wait";

    @Definition(
            name = "claim_work",
            effect = VerbEffect.CHANGE,
            toolsets = {Toolset.CODER, Toolset.WORK},
            description = """
                    Claim a work item before you start, so that nobody else does; with paths, also reserve the files you will \
                    change, all or nothing. Refused with held (someone has it), not_claimable (blocked, \
                    deferred or closed) or not_found: it is not yours, take another. \
                    Example: {"id": "hf-3k9x", "holder": "claude-3fa91c", "paths": ["src/parser"]}""")
    record ClaimWork(
            @WorkFields.Id String id,
            @CommonFields.Holder String holder,

            @Field(value = TTL, min = 1, upTo = Limit.LEASE) @Nullable
            Duration ttlSeconds,

            @Field(value = WAIT, upTo = Limit.WAIT) Duration waitSeconds,

            @Field(value = "globs of the files to reserve", longest = WorkFields.LONGEST_PATH)
            Set<String> paths,

            @Field("whose files; default: yours, else the item's queue") @Nullable
            String repository,

            @CommonFields.RequestId @Nullable String requestId) {}

    record ClaimedItem(
            @Field(value = WorkFields.ITEM, brief = true) ItemJson item,
            @Field(value = CLAIM, brief = true) Grant claim) {}

    /** Which item to claim next. */
    record NextFilter(
            @WorkFields.OfQueue @Nullable String queue,
            @WorkFields.WithLabels Set<String> labels,
            @WorkFields.OfType @Nullable String type,

            @Field(value = TTL, min = 1, upTo = Limit.LEASE) @Nullable
            Duration ttlSeconds) {
        NextRequest asked(String holder) {
            return NextRequest.of(Kind.WORK, holder)
                    .filter(WorkClaims.filter(queue, labels, type))
                    .ttl(ttlSeconds);
        }
    }

    @Definition(
            name = "claim_next_work",
            effect = VerbEffect.TAKE,
            toolsets = {Toolset.CODER, Toolset.WORK},
            description = """
                    Claim the next ready work item: most urgent first, then oldest. item is null if there is \
                    none; with wait_seconds it waits for one. Read the item and the previous holder's note, then start. \
                    Example: {"holder": "claude-3fa91c", "queue": "shop", "labels": ["java"], "wait_seconds": 50}""")
    record ClaimNextWork(
            @CommonFields.Holder String holder,
            @Inline NextFilter filter,

            @Field(value = WAIT, upTo = Limit.WAIT) Duration waitSeconds,

            @CommonFields.RequestId @Nullable String requestId) {}

    record NextItem(
            @Field(value = WorkFields.ITEM, brief = true, orNull = true) @Nullable
            ItemJson item,

            @Field(value = CLAIM, brief = true) @Nullable Grant claim) {
        static final NextItem NONE = new NextItem(null, null);
    }

    @Definition(
            name = "close_work",
            effect = VerbEffect.END,
            toolsets = {Toolset.CODER, Toolset.WORK},
            description = """
                    Close a work item: done, or dropped with a reason. Pass the claim_generation of your \
                    claim, unless nobody holds the item. Items that waited for it become ready; next, \
                    if given, claims the next item in the same step. \
                    Example: {"id": "hf-3k9x", "holder": "claude-3fa91c", "claim_generation": 3, "reason": "merged", \
                    "next": {"queue": "shop"}}""")
    record CloseWork(
            @WorkFields.Id String id,
            @CommonFields.Holder String holder,
            @WorkFields.Generation @Nullable Long claimGeneration,

            @Field(value = "how it ended", longest = WorkLimits.LONGEST_TEXT) @Nullable
            String reason,

            @Field("filters for the next item; {} for any") @Nullable
            NextFilter next) {}

    record ClosedItem(
            @Field(value = WorkFields.ITEM, brief = true) ItemJson item,

            @Field("this claim had already closed it") @Nullable
            Boolean replayed,

            @Field("what you now hold") @Nullable NextItem next) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, ClaimWork.class, ClaimedItem.class, this::claim),
                Verb.of(shapes, ClaimNextWork.class, NextItem.class, this::next),
                Verb.of(shapes, CloseWork.class, ClosedItem.class, this::close).refusing(fenced));
    }

    private ClaimedItem claim(ClaimWork given, Call call) {
        if (!WorkLimits.couldBe(given.id())) {
            throw noSuchItem(given.id());
        }
        ClaimRequest asked = ClaimRequest.of(WorkItem.resource(given.id()), given.holder())
                .ttl(given.ttlSeconds())
                .requestId(given.requestId())
                .waiting(given.waitSeconds());
        NextItem claimed = claimed(
                () -> {
                    ClaimOutcome outcome = work.claiming().claim(asked, given.paths(), given.repository());
                    if (outcome instanceof Refusal.NotFound) {
                        throw noSuchItem(given.id());
                    }
                    return outcome;
                },
                call);
        return new ClaimedItem(Objects.requireNonNull(claimed.item()), Objects.requireNonNull(claimed.claim()));
    }

    private static RefusedException noSuchItem(String id) {
        return new RefusedException(RefusalCode.NOT_FOUND, "there is no work item " + id);
    }

    private NextItem next(ClaimNextWork given, Call call) {
        NextRequest asked = given.filter()
                .asked(given.holder())
                .requestId(given.requestId())
                .waiting(given.waitSeconds());
        return claimed(() -> work.claiming().next(asked), call);
    }

    private NextItem claimed(Supplier<ClaimOutcome> claim, Call call) {
        long start = System.nanoTime();
        ClaimOutcome outcome = claim.get();
        meters.claimed(Kind.WORK, outcome, System.nanoTime() - start);
        if (outcome instanceof Refusal refusal) {
            throw RefusedException.of(refusal);
        }
        return item(outcome, call);
    }

    private ClosedItem close(CloseWork given, Call call) {
        String holder = Text.holder(given.holder());
        ItemClosing.Closed closed = work.closing()
                .close(
                        given.id(),
                        new Fence(holder, given.claimGeneration()),
                        given.reason(),
                        given.next() == null ? null : given.next().asked(holder));
        ItemJson item = ItemJson.of(closed.item(), call);
        ClaimOutcome next = closed.next();
        return new ClosedItem(item, Present.ifTrue(closed.replayed()), next == null ? null : item(next, call));
    }

    /** Releases a grant that was never delivered. */
    private NextItem item(ClaimOutcome outcome, Call call) {
        if (outcome instanceof ClaimOutcome.Granted granted) {
            call.whenUndelivered(() -> claims.release(granted.claim(), null));
        }
        return claims.runBeforeDelivery(
                outcome,
                () -> WorkClaims.granted(outcome)
                        .map(claim -> new NextItem(
                                work.backlog()
                                        .find(claim.resource().id())
                                        .map(item -> ItemJson.of(item, call))
                                        .orElse(null),
                                Grant.of(outcome)))
                        .orElse(NextItem.NONE));
    }
}
