package dev.holdfast.broker.verb.claims;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.Agents;
import dev.holdfast.broker.verb.Bounds;
import dev.holdfast.broker.verb.ClaimJson;
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
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import dev.holdfast.review.queue.ReviewCatalogue;
import dev.holdfast.work.Backlog;
import dev.holdfast.work.Reservations;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkLimits;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who holds what: {@code who}. */
public record WhoVerb(
        Shapes shapes,
        Claims claims,
        Agents agents,
        Backlog backlog,
        Reservations reservations,
        ReviewCatalogue reviews) {
    static final String TITLE = "of a work item, or what a review is about";
    static final String PRIORITY = "of a work item; 0 is the most urgent";

    @Definition(name = "who", effect = VerbEffect.READ, toolsets = Toolset.WORK, description = """
                    See who holds what at this moment, by holder (brokers' own identities only if asked for by kind). Use it before you take something that may be busy, \
                    or when a claim was refused. Example: {"kind": "path"}, or {} for everything""")
    record Who(
            @Field(value = "only claims of this kind", longest = 20) @Nullable
            Kind kind,

            @Field("only this holder's claims") @Nullable String holder,

            @Field("only claims of things in this queue") @Nullable
            String queue,

            @Field(value = "at most this many holders (default {page})", min = 1, upTo = Limit.PAGE) @Nullable
            Integer limit,

            @CommonFields.Cursor @Nullable String cursor) {
        boolean isOfEverything() {
            return kind == null && holder == null && queue == null && limit == null && cursor == null;
        }
    }

    record Holders(
            @Field("who holds something, by name") List<Holder> holders,

            @Field("work in progress without a holder: released with keep_status") @Nullable
            List<Unheld> unheld,

            @Field(value = "given if nobody holds anything", longest = Text.LONGEST_NOTE) @Nullable
            String message,

            @CommonFields.NextCursor @Nullable String nextCursor) {}

    record Holder(
            @Field("the agent id") String holder,

            @Field("the machine it runs on") @Nullable String host,

            @Field("the branch it works on") @Nullable String branch,

            @Field("when it was last seen") Instant lastSeenAt,

            @Field("how many claims it holds") int count,

            @Field("what it holds, oldest first") List<HeldClaim> claims) {}

    record HeldClaim(
            @Inline ClaimJson claim,

            @Field(value = TITLE, longest = WorkLimits.LONGEST_TITLE) @Nullable
            String title,

            @Field(value = PRIORITY, max = 4) @Nullable Integer priority,

            @Field("of a reservation") @Nullable String queue,

            @Field(value = "what is reserved", longest = 1_000) @Nullable
            List<String> paths,

            @Field("when it was last extended") Instant lastBeatAt,

            @Field("earlier ones that failed") long attempts) {}

    record Unheld(
            @Field(value = "claim it by this id", longest = CommonFields.LONGEST_RESOURCE)
            String resource,

            @Field(longest = WorkLimits.LONGEST_TITLE) String title,

            @Field(value = PRIORITY, max = 4) int priority) {}

    public List<Verb> verbs() {
        return List.of(Verb.of(shapes, Who.class, Holders.class, this::who));
    }

    private Holders who(Who given) {
        Kind kind = given.kind();
        SortedMap<String, List<Claim>> byHolder = claims.held(kind, given.holder(), given.queue()).stream()
                .filter(claim -> kind != null || claim.resource().kind() != Kind.BROKER)
                .collect(Collectors.groupingBy(Claim::holder, TreeMap::new, Collectors.toList()));
        int page = shapes.bounds().page(given.limit());
        String cursor = given.cursor() == null ? "" : given.cursor();
        List<String> names = byHolder.keySet().stream()
                .filter(name -> name.compareTo(cursor) > 0)
                .limit(page + 1L)
                .toList();
        List<String> shown = names.subList(0, Math.min(page, names.size()));
        Things things = things(shown.stream()
                .flatMap(name -> byHolder.getOrDefault(name, List.of()).stream())
                .toList());
        return new Holders(
                shown.stream()
                        .map(name -> holder(name, byHolder.getOrDefault(name, List.of()), things))
                        .toList(),
                Present.ifAny(unheld(given)),
                names.isEmpty() ? "nobody holds anything" + (given.isOfEverything() ? "" : " that fits") : null,
                Bounds.next(names, page));
    }

    /** Only on the first page, and only if the caller asks about everybody's work. */
    private List<Unheld> unheld(Who given) {
        if ((given.kind() != null && given.kind() != Kind.WORK) || given.holder() != null || given.cursor() != null) {
            return List.of();
        }
        return backlog.unheld(given.queue()).stream()
                .limit(shapes.bounds().limits().longestList())
                .map(item -> new Unheld(WorkItem.resource(item.id()).toString(), item.title(), item.priority()))
                .toList();
    }

    /** The claimed resources, by id. */
    private record Things(
            Map<String, WorkItem> work, Map<String, Reservations.Reserved> reserved, Map<String, String> intents) {}

    /** Reads the resources of all these claims at once. */
    private Things things(List<Claim> shown) {
        return new Things(
                ids(shown, Kind.WORK).isEmpty() ? Map.of() : backlog.held(),
                reservations.of(ids(shown, Kind.RESERVATION)).stream()
                        .collect(Collectors.toMap(Reservations.Reserved::id, one -> one)),
                reviews.intents(ids(shown, Kind.REVIEW)));
    }

    private Holder holder(String name, List<Claim> held, Things things) {
        Optional<Agent> agent = agents.find(name);
        Instant renewed =
                held.stream().map(Claim::renewedAt).max(Instant::compareTo).orElse(Instant.EPOCH);
        Instant seen = agent.map(Agent::lastSeenAt).filter(renewed::isBefore).orElse(renewed);
        return new Holder(
                name,
                agent.map(Agent::host).orElse(null),
                agent.map(Agent::branch).orElse(null),
                seen,
                held.size(),
                held.stream().map(claim -> held(claim, things)).toList());
    }

    private static List<String> ids(List<Claim> held, Kind kind) {
        return held.stream()
                .map(Claim::resource)
                .filter(resource -> resource.kind() == kind)
                .map(Resource::id)
                .toList();
    }

    private static HeldClaim held(Claim claim, Things things) {
        Kind kind = claim.resource().kind();
        String id = claim.resource().id();
        Reservations.@Nullable Reserved reserved = kind == Kind.RESERVATION ? things.reserved.get(id) : null;
        @Nullable WorkItem item = kind == Kind.WORK ? things.work.get(id) : null;
        @Nullable String intent = kind == Kind.REVIEW ? things.intents.get(id) : null;
        return new HeldClaim(
                ClaimJson.of(claim),
                item == null ? title(intent) : item.title(),
                item == null ? null : item.priority(),
                reserved == null ? null : reserved.queue(),
                reserved == null ? null : reserved.paths(),
                claim.renewedAt(),
                claim.attempts());
    }

    /** The first line, shortened: an intent may be long. */
    private static @Nullable String title(@Nullable String intent) {
        return intent == null
                ? null
                : intent.lines()
                        .findFirst()
                        .map(line -> line.substring(
                                0,
                                line.offsetByCodePoints(
                                        0, Math.min(line.codePointCount(0, line.length()), WorkLimits.LONGEST_TITLE))))
                        .orElse("");
    }
}
