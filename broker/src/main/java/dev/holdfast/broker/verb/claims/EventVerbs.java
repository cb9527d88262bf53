package dev.holdfast.broker.verb.claims;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.EventJson;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events: {@code get_events}. */
public record EventVerbs(Shapes shapes, EventTail tail) {
    @Definition(name = "get_events", effect = VerbEffect.READ, description = """
                    Read what happened, oldest first: every grant, release, takeover and reclaim. Continue with \
                    after = next_after of the last answer; with newest_first, before = next_before. Example: {"after": 0, "resource": "key:deploy"}""")
    record GetEvents(
            @Field("only events with a higher id; default: from the start") @Nullable
            Long after,

            @Field("newest first") boolean newestFirst,

            @Field(value = "with newest_first: only events with a lower id", min = 1) @Nullable
            Long before,

            @Field(value = "only events of this resource", longest = CommonFields.LONGEST_RESOURCE) @Nullable
            String resource,

            @Field(value = "at most this many events (default {page})", min = 1, upTo = Limit.PAGE) @Nullable
            Integer limit) {}

    record Events(
            @Field("what happened") List<EventJson> events,

            @Field("pass this as after to continue") long nextAfter,

            @Field("pass this as before to continue") @Nullable
            Long nextBefore) {}

    public List<Verb> verbs() {
        return List.of(Verb.of(shapes, GetEvents.class, Events.class, this::getEvents));
    }

    private Events getEvents(GetEvents given, Call call) {
        int page = shapes.bounds().page(given.limit());
        if (given.newestFirst()) {
            if (given.after() != null) {
                throw new InvalidException("after goes with oldest first: leave out newest_first, or use before");
            }
            return newest(given.before() == null ? Long.MAX_VALUE : given.before(), given.resource(), page, call);
        }
        if (given.before() != null) {
            throw new InvalidException("before needs newest_first");
        }
        long after = given.after() == null ? 0 : given.after();
        String resource = given.resource();
        List<Event> events = resource == null ? tail.after(after, page) : tail.after(after, resource, page);
        return new Events(
                views(events, call), events.isEmpty() ? after : events.getLast().id(), null);
    }

    private Events newest(long before, @Nullable String resource, int page, Call call) {
        List<Event> events = tail.before(before, resource, page);
        return new Events(
                views(events, call),
                events.isEmpty() ? 0 : events.getFirst().id(),
                events.size() == page ? events.getLast().id() : null);
    }

    private static List<EventJson> views(List<Event> events, Call call) {
        return events.stream()
                .map(EventJson::of)
                .map(event -> event.seenBy(call.reach()))
                .toList();
    }
}
