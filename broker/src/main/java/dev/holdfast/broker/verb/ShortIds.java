package dev.holdfast.broker.verb;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Lets people abbreviate ids: everywhere, the beginning of an id stands for the whole if it has at least four
 * characters and is unambiguous. Full ids cost nothing extra: a call that changes something is first tried as given,
 * and a longer id is looked up only if there is no such thing.
 */
public final class ShortIds {
    private static final int LEAST = 4;

    /** The length of the broker's own ids. */
    private static final int WHOLE = 36;

    private static final int MOST_CANDIDATES = 5;

    /** Users choose the names of the other kinds, and the beginning of one may be another. */
    private static final Set<Kind> SHORTENED =
            Set.of(Kind.REVIEW, Kind.WORK, Kind.STEP, Kind.FINALIZATION, Kind.RESERVATION);

    /** Releasing what does not exist is not refused, so these are resolved first. */
    private static final Set<String> ASKED_FIRST = Set.of("release");

    /** Refusals because something does not exist; none of them has changed anything. */
    private static final Set<RefusalCode> NOT_THERE = Set.of(
            RefusalCode.NOT_FOUND,
            RefusalCode.LOST,
            RefusalCode.NOT_HELD,
            RefusalCode.NOT_CLAIMABLE,
            RefusalCode.BAD_STATE);

    private final Claims claims;

    public ShortIds(Claims claims) {
        this.claims = claims;
    }

    /** Calls the verb with full ids. */
    public Answer call(Verb verb, JsonNode given, Origin origin) {
        if (!(given instanceof ObjectNode arguments)) {
            return verb.call(given, origin);
        }
        if (verb.nature().readOnly() || ASKED_FIRST.contains(verb.name())) {
            return verb.call(whole(verb, arguments), origin);
        }
        try {
            return verb.call(given, origin);
        } catch (RefusedException refused) {
            ObjectNode whole = NOT_THERE.contains(refused.code()) ? whole(verb, arguments) : arguments;
            if (whole.equals(arguments)) {
                throw refused;
            }
            return verb.call(whole, origin);
        }
    }

    /** The arguments with full ids instead of abbreviated ones. */
    public ObjectNode whole(Verb verb, ObjectNode arguments) {
        ChangedArguments whole = new ChangedArguments(arguments);
        for (Property field : verb.arguments()) {
            JsonNode value = arguments.get(field.name());
            JsonNode longer = value == null ? null : longer(field, value);
            if (longer != null) {
                whole.set(field.name(), longer);
            }
        }
        return whole.all();
    }

    private @Nullable JsonNode longer(Property field, JsonNode value) {
        String name = field.name();
        Kind kind = field.idOf();
        if (kind != null) {
            return value instanceof ArrayNode several ? each(kind, several) : text(kind, value);
        }
        if (name.equals("resource") && value.isString()) {
            return StringNode.valueOf(resource(value.stringValue()));
        }
        if (name.equals("under")
                && value instanceof ObjectNode outer
                && outer.path("resource").isString()) {
            ObjectNode whole = outer.deepCopy();
            whole.put("resource", resource(outer.path("resource").stringValue()));
            return whole;
        }
        return null;
    }

    private ArrayNode each(Kind kind, ArrayNode several) {
        ArrayNode whole = several.arrayNode();
        several.forEach(one -> whole.add(text(kind, one)));
        return whole;
    }

    private JsonNode text(Kind kind, JsonNode value) {
        return value.isString() ? StringNode.valueOf(id(kind, value.stringValue())) : value;
    }

    private String resource(String text) {
        int colon = text.indexOf(':');
        return Kind.of(text.substring(0, Math.max(0, colon)))
                .filter(SHORTENED::contains)
                .map(kind -> kind + ":" + id(kind, text.substring(colon + 1)))
                .orElse(text);
    }

    /** A step's id is its task's id and a key: {@code 3f2c.build}. */
    private String id(Kind kind, String id) {
        int dot = kind == Kind.STEP ? id.indexOf('.') : -1;
        return dot < 0 ? begun(kind, id) : begun(Kind.FINALIZATION, id.substring(0, dot)) + id.substring(dot);
    }

    private String begun(Kind kind, String id) {
        if (id.length() < LEAST || id.length() >= WHOLE) {
            return id;
        }
        List<Resource> found;
        try {
            found = claims.beginning(new Resource(kind, id), MOST_CANDIDATES + 1);
        } catch (InvalidException e) {
            return id; // the verb reports the invalid value
        }
        if (found.isEmpty() || found.getFirst().id().equals(id)) {
            return id;
        }
        if (found.size() > 1) {
            throw ambiguous(id, found.stream().map(Resource::id).toList());
        }
        return found.getFirst().id();
    }

    private static RefusedException ambiguous(String id, List<String> found) {
        List<String> candidates = found.subList(0, Math.min(found.size(), MOST_CANDIDATES));
        return new RefusedException(
                RefusalCode.INVALID,
                "several ids begin with '" + id + "': " + String.join(", ", candidates)
                        + (found.size() > MOST_CANDIDATES ? ", ..." : "") + "; give more of it",
                Map.of("candidates", candidates));
    }
}
