package dev.holdfast.broker.verb;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.Agents;
import dev.holdfast.broker.config.Config;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Backlog;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkLimits;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who holds what: {@code who}. */
public final class HolderVerbs {
    private static final Field TITLE = Field.text("title", WorkLimits.LONGEST_TITLE, "of a work item");
    private static final Field PRIORITY = Field.integer("priority", 0L, 4L, "of a work item; 0 is the most urgent");

    private static final List<Field> HOLDER = List.of(
            Field.text("holder", Text.LONGEST_HOLDER, "the agent id").must(),
            Field.text("host", Text.LONGEST_HOLDER, "the machine it runs on"),
            Field.text("branch", Text.LONGEST_HOLDER, "the branch it works on"),
            Field.time("last_seen_at", "when it was last seen").must(),
            Field.integer("count", 0L, null, "how many claims it holds").must(),
            Field.objects(
                            "claims",
                            "what it holds, oldest first",
                            Stream.concat(
                                            ClaimJson.CLAIM.stream(),
                                            Stream.of(
                                                    TITLE,
                                                    PRIORITY,
                                                    Field.time("last_beat_at", "when it was last extended")
                                                            .must(),
                                                    Field.integer("attempts", 0L, null, "earlier ones that failed")
                                                            .must()))
                                    .toList())
                    .must());

    private final Claims claims;
    private final Agents agents;
    private final Backlog backlog;
    private final Pages pages;

    public HolderVerbs(Claims claims, Agents agents, WorkItems work, Config.Limits limits) {
        this.claims = claims;
        this.agents = agents;
        backlog = work.backlog();
        pages = new Pages(limits.longestList());
    }

    public List<Verb> verbs() {
        return List.of(who().in(Toolset.WORK));
    }

    private Verb who() {
        return new Verb(
                "who",
                """
                See who holds what at this moment, by holder (brokers' own identities only if asked for by kind). Ask this before you take something that may be busy, \
                or when a claim was refused. Example: {"kind": "path"}, or {} for everything""",
                List.of(
                        Field.text("kind", 20, "only claims of this kind")
                                .oneOf(Arrays.stream(Kind.values())
                                        .map(Kind::toString)
                                        .toList()),
                        Field.text("holder", Text.LONGEST_HOLDER, "only this holder's claims"),
                        Field.text("queue", ClaimVerbs.LONGEST_QUEUE, "only claims of things in this queue"),
                        pages.limit("holders"),
                        Pages.CURSOR),
                List.of(
                        Field.objects("holders", "who holds something, by name", HOLDER)
                                .must(),
                        Field.objects(
                                "unheld",
                                "work in progress without a holder: released with keep_status",
                                List.of(
                                        Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "claim it by this id")
                                                .must(),
                                        TITLE.must(),
                                        PRIORITY.must())),
                        Field.text("message", Text.LONGEST_NOTE, "given if nobody holds anything"),
                        Pages.NEXT_CURSOR),
                Verb.Nature.READ,
                this::who);
    }

    private Answer who(Arguments given) {
        Kind kind =
                Optional.ofNullable(given.textOrNull("kind")).flatMap(Kind::of).orElse(null);
        SortedMap<String, List<Claim>> byHolder =
                claims.held(kind, given.textOrNull("holder"), given.textOrNull("queue")).stream()
                        .filter(claim -> kind != null || claim.resource().kind() != Kind.BROKER)
                        .collect(Collectors.groupingBy(Claim::holder, TreeMap::new, Collectors.toList()));
        Map<String, WorkItem> items = kind == null || kind == Kind.WORK ? backlog.held() : Map.of();
        int limit = pages.limit(given);
        List<String> names = byHolder.keySet().stream()
                .filter(name -> name.compareTo(Pages.cursor(given)) > 0)
                .limit(limit + 1L)
                .toList();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put(
                "holders",
                names.stream()
                        .limit(limit)
                        .map(name -> holder(name, byHolder.getOrDefault(name, List.of()), items))
                        .toList());
        List<Map<String, @Nullable Object>> unheld = unheld(given, kind);
        if (!unheld.isEmpty()) {
            json.put("unheld", unheld);
        }
        if (names.isEmpty()) {
            json.put("message", "nobody holds anything" + (given.isEmpty() ? "" : " that fits"));
        }
        Pages.putNext(json, names, limit);
        return Answer.of(json);
    }

    /** Told once, with the first page, to whoever asks about everybody's work. */
    private List<Map<String, @Nullable Object>> unheld(Arguments given, @Nullable Kind kind) {
        if ((kind != null && kind != Kind.WORK) || given.has("holder") || given.has("cursor")) {
            return List.of();
        }
        return backlog.unheld(given.textOrNull("queue")).stream()
                .limit(pages.longest())
                .map(item -> {
                    Map<String, @Nullable Object> json = new LinkedHashMap<>();
                    json.put("resource", WorkItem.resource(item.id()).toString());
                    json.put("title", item.title());
                    json.put("priority", item.priority());
                    return json;
                })
                .toList();
    }

    private Map<String, @Nullable Object> holder(String name, List<Claim> held, Map<String, WorkItem> items) {
        Optional<Agent> agent = agents.find(name);
        Instant renewed =
                held.stream().map(Claim::renewedAt).max(Instant::compareTo).orElse(Instant.EPOCH);
        Instant seen = agent.map(Agent::lastSeenAt).filter(renewed::isBefore).orElse(renewed);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("holder", name);
        agent.ifPresent(found -> {
            ClaimVerbs.putIfGiven(json, "host", found.host());
            ClaimVerbs.putIfGiven(json, "branch", found.branch());
        });
        json.put("last_seen_at", ClaimJson.time(seen));
        json.put("count", held.size());
        json.put(
                "claims",
                held.stream()
                        .map(claim -> claim(
                                claim,
                                claim.resource().kind() == Kind.WORK
                                        ? items.get(claim.resource().id())
                                        : null))
                        .toList());
        return json;
    }

    private static Map<String, @Nullable Object> claim(Claim claim, @Nullable WorkItem item) {
        Map<String, @Nullable Object> json = ClaimJson.claim(claim);
        if (item != null) {
            json.put("title", item.title());
            json.put("priority", item.priority());
        }
        json.put("last_beat_at", ClaimJson.time(claim.renewedAt()));
        json.put("attempts", claim.attempts());
        return json;
    }
}
