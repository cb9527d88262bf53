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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Lets people abbreviate ids: everywhere, the beginning of an id stands for the whole if it has at least four
 * characters and is unambiguous. Full ids cost nothing extra: a call that changes something is first tried as given,
 * and a longer id is looked up only if there is no such id.
 */
public final class ShortIds {
    private static final int MIN = 4;

    /** The length of the broker's own ids. */
    private static final int WHOLE = 36;

    private static final int MAX_CANDIDATES = 5;

    /** So many ids are compared for a caller for whom only some of them count. */
    private static final int MAX_COMPARED = 200;

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
    public Answer call(Verb verb, JsonNode given, Call call) {
        if (!(given instanceof ObjectNode arguments)) {
            return verb.call(given, call);
        }
        if (verb.effect().readOnly() || ASKED_FIRST.contains(verb.name())) {
            return verb.call(whole(verb, arguments), call);
        }
        try {
            return verb.call(given, call);
        } catch (RefusedException refused) {
            ObjectNode whole = NOT_THERE.contains(refused.code()) ? whole(verb, arguments) : arguments;
            if (whole.equals(arguments)) {
                throw refused;
            }
            return verb.call(whole, call);
        }
    }

    /** The arguments with full ids instead of abbreviated ones. */
    public ObjectNode whole(Verb verb, ObjectNode arguments) {
        return expanded(verb, arguments, with -> claims.beginning(with, MAX_CANDIDATES + 1));
    }

    /** As above, for a caller for whom only some resources count: it learns nothing about others. */
    public ObjectNode whole(Verb verb, ObjectNode arguments, Predicate<Resource> counts) {
        return expanded(verb, arguments, with -> candidates(with, counts));
    }

    private static ObjectNode expanded(Verb verb, ObjectNode arguments, Lookup lookup) {
        ChangedArguments whole = new ChangedArguments(arguments);
        for (Property field : verb.arguments()) {
            JsonNode value = arguments.get(field.name());
            JsonNode longer = value == null ? null : longer(field, value, lookup);
            if (longer != null) {
                whole.set(field.name(), longer);
            }
        }
        return whole.all();
    }

    /** Finds what begins like this; an exact match comes first. */
    private interface Lookup {
        List<Resource> beginning(Resource with);
    }

    private List<Resource> candidates(Resource with, Predicate<Resource> counts) {
        List<Resource> all = claims.beginning(with, MAX_COMPARED + 1);
        if (!all.isEmpty() && all.getFirst().equals(with) && counts.test(with)) {
            return all.subList(0, 1);
        }
        if (all.size() > MAX_COMPARED) {
            throw new InvalidException("too many ids begin with '" + with.id() + "'; give more of it");
        }
        return all.stream().filter(counts).limit(MAX_CANDIDATES + 1L).toList();
    }

    private static @Nullable JsonNode longer(Property field, JsonNode value, Lookup lookup) {
        String name = field.name();
        Kind kind = field.idOf();
        if (kind != null) {
            return value instanceof ArrayNode several ? each(kind, several, lookup) : text(kind, value, lookup);
        }
        if (name.equals("resource") && value.isString()) {
            return StringNode.valueOf(resource(value.stringValue(), lookup));
        }
        if (name.equals("under")
                && value instanceof ObjectNode outer
                && outer.path("resource").isString()) {
            ObjectNode whole = outer.deepCopy();
            whole.put("resource", resource(outer.path("resource").stringValue(), lookup));
            return whole;
        }
        return null;
    }

    private static ArrayNode each(Kind kind, ArrayNode several, Lookup lookup) {
        ArrayNode whole = several.arrayNode();
        several.forEach(one -> whole.add(text(kind, one, lookup)));
        return whole;
    }

    private static JsonNode text(Kind kind, JsonNode value, Lookup lookup) {
        return value.isString() ? StringNode.valueOf(id(kind, value.stringValue(), lookup)) : value;
    }

    private static String resource(String text, Lookup lookup) {
        int colon = text.indexOf(':');
        return Kind.of(text.substring(0, Math.max(0, colon)))
                .filter(SHORTENED::contains)
                .map(kind -> kind + ":" + id(kind, text.substring(colon + 1), lookup))
                .orElse(text);
    }

    /** A step's id is its task's id and a key: {@code 3f2c.build}. */
    private static String id(Kind kind, String id, Lookup lookup) {
        int dot = kind == Kind.STEP ? id.indexOf('.') : -1;
        return dot < 0
                ? begun(kind, id, lookup)
                : begun(Kind.FINALIZATION, id.substring(0, dot), lookup) + id.substring(dot);
    }

    private static String begun(Kind kind, String id, Lookup lookup) {
        if (id.length() < MIN || id.length() >= WHOLE) {
            return id;
        }
        Resource begun;
        try {
            begun = new Resource(kind, id);
        } catch (InvalidException e) {
            return id; // the verb reports the invalid value
        }
        List<Resource> found = lookup.beginning(begun);
        if (found.isEmpty() || found.getFirst().id().equals(id)) {
            return id;
        }
        if (found.size() > 1) {
            throw ambiguous(id, found.stream().map(Resource::id).toList());
        }
        return found.getFirst().id();
    }

    private static RefusedException ambiguous(String id, List<String> found) {
        List<String> candidates = found.subList(0, Math.min(found.size(), MAX_CANDIDATES));
        return new RefusedException(
                RefusalCode.INVALID,
                "several ids begin with '" + id + "': " + String.join(", ", candidates)
                        + (found.size() > MAX_CANDIDATES ? ", ..." : "") + "; give more of it",
                Map.of("candidates", candidates));
    }
}
