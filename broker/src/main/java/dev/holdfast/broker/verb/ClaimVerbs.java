package dev.holdfast.broker.verb;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.ClaimsByKind;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.Under;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Taking things: {@code claim claim_next}. */
public final class ClaimVerbs {
    /** A kind, a colon and an id. */
    static final int LONGEST_RESOURCE = Text.LONGEST_ID_BYTES + 16;

    static final int LONGEST_QUEUE = 200;
    private static final int LONGEST_LABEL = 100;

    static final Field HOLDER = Field.text("holder", Text.LONGEST_HOLDER, "your agent id, as start_session gave it")
            .must()
            .ofActor()
            .example("claude-3fa91c");

    static final Field RESOURCE = Field.text(
                    "resource", LONGEST_RESOURCE, "what to claim, as kind:id; kinds: " + OpenKinds.words())
            .must()
            .example("key:deploy");

    static final Field REQUEST_ID = Field.text(
            "request_id", Text.LONGEST_HOLDER, "unique per claim; a retry with the same id returns the same grant");

    private final ClaimsByKind byKind;
    private final Function<Caller, KindClaims> reviews;
    private final Meters meters;
    private final Field ttl;
    private final Field wait;

    /** @param reviews gives reviews to a caller: not everybody may have every one */
    public ClaimVerbs(
            ClaimsByKind byKind, Function<Caller, KindClaims> reviews, Leases leases, Meters meters, Limits limits) {
        this.byKind = byKind;
        this.reviews = reviews;
        this.meters = meters;
        ttl = Field.integer(
                "ttl_seconds",
                1L,
                leases.longest().toSeconds(),
                "how long the claim lasts without a heartbeat; default: that of its kind");
        wait = Field.integer(
                "wait_seconds",
                0L,
                limits.longestWait().toSeconds(),
                "how long to wait if nothing is available; default: no wait");
    }

    public List<Verb> verbs() {
        return List.of(claim().in(Toolset.WORK), claimNext().in(Toolset.WORK));
    }

    private Verb claim() {
        return new Verb(
                "claim",
                """
                Claim a named resource before you work on it, so that nobody else does. The grant has a \
                claim_generation: pass it to heartbeat and release. Refused with code held if someone else has it; \
                take something else, or retry with wait_seconds. \
                Example: {"resource": "path:src/Main.java", "holder": "claude-3fa91c", "wait_seconds": 30}""",
                List.of(
                        RESOURCE,
                        HOLDER,
                        ttl,
                        wait,
                        ClaimJson.UNDER,
                        Field.integer(
                                "claim_generation",
                                0L,
                                null,
                                "of a claim on it that you already hold: extends that claim"),
                        REQUEST_ID),
                granted(ClaimJson.CLAIM.stream()),
                Verb.Nature.CHANGE,
                this::claim);
    }

    private Answer claim(Arguments given) {
        Resource resource = OpenKinds.parse(given.text("resource"));
        Arguments under = given.objectOrNull("under");
        ClaimRequest asked = new ClaimRequest(
                resource,
                given.text("holder"),
                seconds(given.numberOrNull("ttl_seconds")),
                given.textOrNull("request_id"),
                given.numberOrNull("claim_generation"),
                Duration.ofSeconds(given.number("wait_seconds", 0)),
                under == null
                        ? null
                        : new Under(OpenKinds.parse(under.text("resource")), under.number("claim_generation", 0)));
        long start = System.nanoTime();
        ClaimOutcome outcome = kindClaims(resource.kind(), given).claim(asked);
        meters.claimed(resource.kind(), outcome, System.nanoTime() - start);
        return answer(outcome);
    }

    private Verb claimNext() {
        Stream<Field> claim = Stream.concat(
                Stream.of(Field.text("resource", LONGEST_RESOURCE, "what you now hold; null if nothing is ready")
                        .orNull()
                        .example("work:42")),
                ClaimJson.CLAIM.stream().skip(1).map(Field::maybe));
        return new Verb(
                "claim_next",
                """
                Claim the next ready resource of a kind: most urgent first, then oldest. resource is null \
                if nothing is ready; with wait_seconds it waits for one. \
                Example: {"kind": "work", "holder": "claude-3fa91c", "queue": "backend", "wait_seconds": 55}""",
                List.of(
                        Field.text("kind", 20, "the kind to claim")
                                .oneOf(Arrays.stream(Kind.values())
                                        .filter(kind -> !kind.freeStanding())
                                        .map(Kind::toString)
                                        .toList())
                                .must(),
                        HOLDER,
                        Field.text("queue", LONGEST_QUEUE, "only from this queue"),
                        Field.texts("labels", LONGEST_LABEL, "only items with all of these labels"),
                        ttl,
                        wait,
                        REQUEST_ID),
                granted(claim),
                Verb.Nature.TAKE,
                this::claimNext);
    }

    private Answer claimNext(Arguments given) {
        Kind kind = Kind.of(given.text("kind")).orElseThrow();
        NextRequest asked = new NextRequest(
                kind,
                new Filter(given.textOrNull("queue"), given.texts("labels")),
                given.text("holder"),
                seconds(given.numberOrNull("ttl_seconds")),
                given.textOrNull("request_id"),
                Duration.ofSeconds(given.number("wait_seconds", 0)));
        long start = System.nanoTime();
        ClaimOutcome outcome = kindClaims(kind, given).claimNext(asked);
        meters.claimed(kind, outcome, System.nanoTime() - start);
        return answer(outcome);
    }

    private KindClaims kindClaims(Kind kind, Arguments given) {
        return kind == Kind.REVIEW ? reviews.apply(given.origin().caller()) : byKind.of(kind);
    }

    private Answer answer(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted ->
                Answer.of(granted(outcome)).whenUndelivered(() -> letGo(granted.claim()));
            case ClaimOutcome.AlreadyHeld _ -> Answer.of(granted(outcome));
            case ClaimOutcome.Nothing _ -> {
                Map<String, @Nullable Object> json = new LinkedHashMap<>();
                json.put("resource", null);
                yield Answer.of(json);
            }
            case Refusal refusal -> ClaimJson.refusal(refusal);
        };
    }

    /** Nobody was told of this grant. */
    private void letGo(Claim claim) {
        byKind.of(claim.resource().kind()).release(claim.resource(), claim.fence(), Ending.released(null));
    }

    /** A claim that was given, with what else there is to know of it. */
    static Map<String, @Nullable Object> granted(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted -> {
                Map<String, @Nullable Object> json = ClaimJson.claim(granted.claim());
                putIfGiven(json, "note", granted.note());
                if (granted.displaced() != null) {
                    json.put("displaced", ClaimJson.displaced(granted.displaced()));
                }
                yield json;
            }
            case ClaimOutcome.AlreadyHeld already -> {
                Map<String, @Nullable Object> json = ClaimJson.claim(already.claim());
                putIfGiven(json, "note", already.note());
                json.put("already_held", true);
                yield json;
            }
            case ClaimOutcome.Nothing _ -> new LinkedHashMap<>();
            case Refusal refusal -> throw new IllegalArgumentException(refusal.message());
        };
    }

    /** What a granting verb answers, besides the claim. */
    private static List<Field> granted(Stream<Field> claim) {
        return Stream.concat(
                        claim,
                        Stream.of(
                                Field.text("note", Text.LONGEST_NOTE, "note from the previous holder"),
                                Field.object(
                                        "displaced",
                                        "the expired claim that you took over",
                                        List.of(
                                                Field.text("holder", Text.LONGEST_HOLDER, "who held it")
                                                        .must(),
                                                Field.integer("claim_generation", 0L, null, "its generation")
                                                        .must())),
                                Field.flag("already_held", "you already held it; the claim was extended")))
                .toList();
    }

    private static @Nullable Duration seconds(@Nullable Long given) {
        return given == null ? null : Duration.ofSeconds(given);
    }

    static void putIfGiven(Map<String, @Nullable Object> json, String name, @Nullable Object value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}
