package dev.holdfast.broker.verb;

import dev.holdfast.agent.Agents;
import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Displacement;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.HolderHeartbeat;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Claiming anything: {@code claim claim_next heartbeat release}. */
public final class ClaimVerbs {
    /** A kind, a colon and an id. */
    static final int LONGEST_RESOURCE = Text.LONGEST_ID_BYTES + 16;

    static final int LONGEST_QUEUE = 200;
    private static final int LONGEST_LABEL = 100;

    static final Field HOLDER = Field.text("holder", Text.LONGEST_HOLDER, "your agent id, as start_session gave it")
            .must()
            .example("claude-3fa91c");

    private static final Field RESOURCE = Field.text(
                    "resource", LONGEST_RESOURCE, "what to claim, kind:id; kinds: " + Kind.words())
            .must()
            .example("key:deploy");

    private static final Field GENERATION =
            Field.integer("claim_generation", 0L, null, "the generation that your claim was given");

    private static final Field REQUEST_ID = Field.text(
            "request_id",
            Text.LONGEST_HOLDER,
            "any text of your own, new for every claim: a repeat with the same one returns the same grant");

    private final Claims claims;
    private final Agents agents;
    private final Meters meters;
    private final Field ttl;
    private final Field wait;

    public ClaimVerbs(Claims claims, Agents agents, Meters meters, Limits limits) {
        this.claims = claims;
        this.agents = agents;
        this.meters = meters;
        ttl = Field.integer(
                "ttl_seconds",
                1L,
                claims.leases().longest().toSeconds(),
                "how long the claim runs without a heartbeat; left out: the kind's default");
        wait = Field.integer(
                "wait_seconds",
                0L,
                limits.longestWait().toSeconds(),
                "how long to wait for it while there is nothing to get; left out: not at all");
    }

    public List<Verb> verbs() {
        return List.of(claim(), claimNext(), heartbeat(), release());
    }

    private Verb claim() {
        return new Verb(
                "claim",
                """
                Take a named thing for yourself before you work on it, so that nobody else does. Granted with a \
                claim_generation: show it in heartbeat and release. Refused with code held when another has it; \
                take something else, or ask again with wait_seconds. \
                Example: {"resource": "path:src/Main.java", "holder": "claude-3fa91c", "wait_seconds": 30}""",
                List.of(
                        RESOURCE,
                        HOLDER,
                        ttl,
                        wait,
                        Telling.UNDER,
                        Field.integer(
                                "claim_generation",
                                0L,
                                null,
                                "a grant of this resource that you hold already: it is extended instead of refused"),
                        REQUEST_ID),
                granted(Telling.CLAIM.stream()),
                Verb.Nature.CHANGE,
                this::claim);
    }

    private Answer claim(Arguments given) {
        Resource resource = Resource.parse(given.text("resource"));
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
                        : new Under(Resource.parse(under.text("resource")), under.number("claim_generation", 0)));
        long start = System.nanoTime();
        ClaimOutcome outcome = claims.claim(asked);
        meters.claimed(resource.kind(), outcome, System.nanoTime() - start);
        return answer(outcome);
    }

    private Verb claimNext() {
        Stream<Field> claim = Stream.concat(
                Stream.of(Field.text("resource", LONGEST_RESOURCE, "what you hold now, or null: nothing is ready")
                        .orNull()
                        .example("work:42")),
                Telling.CLAIM.stream().skip(1).map(Field::maybe));
        return new Verb(
                "claim_next",
                """
                Take the best thing of a kind that is ready: most urgent first, then oldest. Answers resource: null \
                when nothing is; with wait_seconds it waits for something to come. \
                Example: {"kind": "work", "holder": "claude-3fa91c", "queue": "backend", "wait_seconds": 55}""",
                List.of(
                        Field.text("kind", 20, "what to take one of")
                                .oneOf(Arrays.stream(Kind.values())
                                        .filter(kind -> !kind.freeStanding())
                                        .map(Kind::toString)
                                        .toList())
                                .must(),
                        HOLDER,
                        Field.text("queue", LONGEST_QUEUE, "only from this queue"),
                        Field.texts("labels", LONGEST_LABEL, "only what carries all of these"),
                        ttl,
                        wait,
                        REQUEST_ID),
                granted(claim),
                Verb.Nature.CHANGE,
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
        ClaimOutcome outcome = claims.claimNext(asked);
        meters.claimed(kind, outcome, System.nanoTime() - start);
        return answer(outcome);
    }

    private Answer answer(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted -> {
                Map<String, @Nullable Object> told = Telling.claim(granted.claim());
                putIfGiven(told, "note", granted.note());
                if (granted.displaced() != null) {
                    told.put("displaced", Telling.displaced(granted.displaced()));
                }
                yield Answer.of(told).whenUndelivered(() -> claims.release(granted.claim(), null));
            }
            case ClaimOutcome.AlreadyHeld already -> {
                Map<String, @Nullable Object> told = Telling.claim(already.claim());
                putIfGiven(told, "note", already.note());
                told.put("already_held", true);
                yield Answer.of(told);
            }
            case ClaimOutcome.Nothing _ -> {
                Map<String, @Nullable Object> told = new LinkedHashMap<>();
                told.put("resource", null);
                yield Answer.of(told);
            }
            case Refusal refusal -> Telling.refusal(refusal);
        };
    }

    private Verb heartbeat() {
        Field lost = Field.objects(
                "lost",
                "claims that were taken from you; stop working on them",
                List.of(
                        Field.text("resource", LONGEST_RESOURCE, "what you held")
                                .must(),
                        Field.integer("claim_generation", 0L, null, "the generation you held")
                                .must(),
                        Field.text("reason", Text.LONGEST_NOTE, "why it was taken")
                                .must()));
        return new Verb(
                "heartbeat",
                """
                Say that you are still at work, before your claims run out. With resource and claim_generation: \
                extends that claim, or answers lost. With your holder alone: extends all your claims, and tells \
                which were lost. Example: {"holder": "claude-3fa91c"}""",
                List.of(
                        HOLDER,
                        Field.text("resource", LONGEST_RESOURCE, "one claim to extend; left out: all of yours"),
                        GENERATION),
                Stream.concat(
                                Telling.CLAIM.stream().map(Field::maybe),
                                Stream.of(
                                        Field.objects("extended", "your claims, with their new expiry", Telling.CLAIM),
                                        Field.objects(
                                                "unconfirmed",
                                                "grants that you have not named yet; they run out unless you do",
                                                Telling.CLAIM),
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
                throw new InvalidException("claim_generation without resource; name the resource it is of, or neither");
            }
            return heartbeat(holder);
        }
        Resource parsed = Resource.parse(resource);
        if (generation == null) {
            return fenced(parsed, new Refusal.FenceMissing(parsed));
        }
        HeartbeatOutcome outcome = claims.heartbeat(parsed, new Fence(holder, generation));
        meters.heartbeat(outcome);
        return switch (outcome) {
            case HeartbeatOutcome.Extended extended -> Answer.of(Telling.claim(extended.claim()));
            case Refusal refusal -> fenced(parsed, refusal);
        };
    }

    private Answer heartbeat(String holder) {
        HolderHeartbeat beat = claims.heartbeat(holder);
        agents.seen(holder);
        meters.heartbeat(beat);
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("extended", Telling.claims(beat.extended()));
        told.put("unconfirmed", Telling.claims(beat.unconfirmed()));
        told.put("lost", beat.lost().stream().map(ClaimVerbs::lost).toList());
        return Answer.of(told).whenDelivered(() -> claims.told(holder, beat.lost()));
    }

    private static Map<String, @Nullable Object> lost(Displacement displacement) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("resource", displacement.resource().toString());
        told.put("claim_generation", displacement.generation());
        told.put("reason", displacement.reason());
        return told;
    }

    private Verb release() {
        return new Verb(
                "release",
                """
                Let go of a claim, so that others can have the thing. A note is handed to the next holder. \
                Example: {"resource": "key:deploy", "holder": "claude-3fa91c", "claim_generation": 7, \
                "note": "tests are red, see log"}""",
                List.of(
                        RESOURCE,
                        HOLDER,
                        GENERATION,
                        Field.text("note", Text.LONGEST_NOTE, "what the next holder should know"),
                        Field.flag("keep_status", "leave its status as it is, instead of the one before the claim")),
                List.of(
                        Field.flag("released", "you hold it no more").must(),
                        Field.flag("replayed", "this very release was done before; it is the same answer again")),
                Verb.Nature.END,
                this::release);
    }

    private Answer release(Arguments given) {
        Resource resource = Resource.parse(given.text("resource"));
        Fence fence = new Fence(Text.holder(given.text("holder")), given.numberOrNull("claim_generation"));
        if (fence.generation() == null) {
            return fenced(resource, new Refusal.FenceMissing(resource));
        }
        Ending ending = Ending.released(given.textOrNull("note"), given.flag("keep_status"));
        return switch (claims.release(resource, fence, ending)) {
            case EndOutcome.Ended ended -> {
                Map<String, @Nullable Object> told = new LinkedHashMap<>();
                told.put("released", true);
                if (ended.replayed()) {
                    told.put("replayed", true);
                }
                yield Answer.of(told);
            }
            case Refusal refusal -> fenced(resource, refusal);
        };
    }

    private Answer fenced(Resource resource, Refusal refusal) {
        meters.fenced(resource.kind(), refusal);
        return Telling.refusal(refusal);
    }

    /** What a granting verb answers, besides the claim. */
    private static List<Field> granted(Stream<Field> claim) {
        return Stream.concat(
                        claim,
                        Stream.of(
                                Field.text("note", Text.LONGEST_NOTE, "what the last holder left for you"),
                                Field.object(
                                        "displaced",
                                        "whose claim had run out and is yours now",
                                        List.of(
                                                Field.text("holder", Text.LONGEST_HOLDER, "who held it")
                                                        .must(),
                                                Field.integer("claim_generation", 0L, null, "its generation")
                                                        .must())),
                                Field.flag("already_held", "you held it already; the claim is extended")))
                .toList();
    }

    private static @Nullable Duration seconds(@Nullable Long given) {
        return given == null ? null : Duration.ofSeconds(given);
    }

    static void putIfGiven(Map<String, @Nullable Object> told, String name, @Nullable Object value) {
        if (value != null) {
            told.put(name, value);
        }
    }
}
