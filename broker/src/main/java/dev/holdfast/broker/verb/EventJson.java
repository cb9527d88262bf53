package dev.holdfast.broker.verb;

import dev.holdfast.event.Event;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An event as all endpoints return it. */
public record EventJson(
        @Field(value = "grows with every event", min = 1) long id,
        @Field("when") Instant at,

        @Field(value = "what happened", longest = 40, example = "claimed")
        String type,

        @Field(value = "to what", longest = CommonFields.LONGEST_RESOURCE)
        String resource,

        @Field("who did it; absent if the broker did") @Nullable
        String actor,

        @Field("the generation of the claim") @Nullable Long claimGeneration,

        @Field(value = "details", brief = true) @Nullable JsonNode detail) {
    private static final String DEPENDS_ON = "depends_on";
    private static final Shape<EventJson> SHAPE = Shapes.withoutBounds().result(EventJson.class);

    public static EventJson of(Event event) {
        return new EventJson(
                event.id(),
                event.at(),
                event.type(),
                event.resource(),
                event.actor(),
                event.generation(),
                event.detail() == null ? null : JsonMapper.shared().readTree(event.detail()));
    }

    /** Without the id of a work item that does not exist for the caller. */
    public EventJson seenBy(AccessScope reach) {
        String other = detail == null ? "" : detail.path(DEPENDS_ON).asString("");
        if (other.isEmpty() || reach.seesWork(other) || !(detail instanceof ObjectNode details)) {
            return this;
        }
        return new EventJson(
                id,
                at,
                type,
                resource,
                actor,
                claimGeneration,
                details.deepCopy().without(DEPENDS_ON));
    }

    public static Map<String, @Nullable Object> json(Event event) {
        return SHAPE.write(of(event));
    }
}
