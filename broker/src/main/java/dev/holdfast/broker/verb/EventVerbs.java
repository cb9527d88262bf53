package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What happened: {@code get_events}. */
public final class EventVerbs {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private static final List<Field> EVENT = List.of(
            Field.integer("id", 1L, null, "grows with every event").must(),
            Field.time("at", "when").must(),
            Field.text("type", 40, "what happened").must().example("claimed"),
            Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "to what").must(),
            Field.text("actor", Text.LONGEST_HOLDER, "who did it; absent if the broker did"),
            Field.integer("claim_generation", 0L, null, "of which grant"),
            Field.anything("detail", "more about it"));

    private final EventTail tail;
    private final Pages pages;

    public EventVerbs(EventTail tail, Limits limits) {
        this.tail = tail;
        pages = new Pages(limits.longestList());
    }

    public List<Verb> verbs() {
        return List.of(new Verb(
                "get_events",
                """
                Read what happened, oldest first: every grant, release, takeover and reclaim. Go on with \
                after = next_after of the last answer; newest_first: with before = next_before. Example: {"after": 0, "resource": "key:deploy"}""",
                List.of(
                        Field.integer("after", 0L, null, "only events with a higher id; default: from the start"),
                        Field.flag("newest_first", "the newest first"),
                        Field.integer("before", 1L, null, "with newest_first: only events with a lower id"),
                        Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "only events of this resource"),
                        pages.limit("events")),
                List.of(
                        Field.objects("events", "what happened", EVENT).must(),
                        Field.integer("next_after", 0L, null, "pass this as after to continue")
                                .must(),
                        Field.integer("next_before", 0L, null, "pass this as before to continue")),
                Verb.Nature.READ,
                this::getEvents));
    }

    private Answer getEvents(Arguments given) {
        long after = given.number("after", 0);
        int limit = pages.limit(given);
        String resource = given.textOrNull("resource");
        if (given.flag("newest_first")) {
            if (given.has("after")) {
                throw new InvalidException("after goes with oldest first: leave out newest_first, or use before");
            }
            return newest(given.number("before", Long.MAX_VALUE), resource, limit);
        }
        if (given.has("before")) {
            throw new InvalidException("before needs newest_first");
        }
        List<Event> events = resource == null ? tail.after(after, limit) : tail.after(after, resource, limit);
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("events", events.stream().map(EventVerbs::told).toList());
        told.put("next_after", events.isEmpty() ? after : events.getLast().id());
        return Answer.of(told);
    }

    private Answer newest(long before, @Nullable String resource, int limit) {
        List<Event> events = tail.before(before, resource, limit);
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("events", events.stream().map(EventVerbs::told).toList());
        told.put("next_after", events.isEmpty() ? 0 : events.getFirst().id());
        if (events.size() == limit) {
            told.put("next_before", events.getLast().id());
        }
        return Answer.of(told);
    }

    /** An event as every door tells it. */
    public static Map<String, @Nullable Object> told(Event event) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("id", event.id());
        told.put("at", ClaimJson.time(event.at()));
        told.put("type", event.type());
        told.put("resource", event.resource());
        ClaimVerbs.putIfGiven(told, "actor", event.actor());
        ClaimVerbs.putIfGiven(told, "claim_generation", event.generation());
        if (event.detail() != null) {
            told.put("detail", MAPPER.readTree(event.detail()));
        }
        return told;
    }
}
