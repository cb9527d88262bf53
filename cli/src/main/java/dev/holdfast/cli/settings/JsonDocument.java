package dev.holdfast.cli.settings;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.json.JsonReader;
import dev.holdfast.cli.json.NotJsonException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as somebody wrote it. Values are inserted and removed in place: comments, order, indentation and
 * trailing commas stay, and removing what was inserted restores the same bytes.
 */
public record JsonDocument(String text) {
    public static final JsonDocument EMPTY = new JsonDocument("{}\n");

    private static final JsonReader.Maker<Node> NODES = new JsonReader.Maker<>() {
        @Override
        public Node scalar(int start, int end, @Nullable Object value) {
            return new Node(Kind.SCALAR, start, end, Map.of(), List.of(), List.of(), value);
        }

        @Override
        public Node array(int start, int end, List<Node> elements) {
            return new Node(Kind.ARRAY, start, end, Map.of(), List.of(), elements, null);
        }

        @Override
        public Node object(int start, int end, List<JsonReader.Member<Node>> members) {
            Map<String, Node> nodes = new LinkedHashMap<>();
            for (JsonReader.Member<Node> member : members) {
                if (nodes.put(member.name(), member.value()) != null) {
                    throw Failure.invalid("\"" + member.name() + "\" appears twice; fix that first");
                }
            }
            List<Integer> names = members.stream().map(JsonReader.Member::start).toList();
            return new Node(Kind.OBJECT, start, end, nodes, names, List.of(), null);
        }
    };

    private enum Kind {
        OBJECT,
        ARRAY,
        SCALAR
    }

    /**
     * A value and its position.
     *
     * @param end after its last character
     * @param names where the members' names begin, in order
     * @param value of a scalar
     */
    public record Node(
            Kind kind,
            int start,
            int end,
            Map<String, Node> members,
            List<Integer> names,
            List<Node> elements,
            @Nullable Object value) {
        public boolean isObject() {
            return kind == Kind.OBJECT;
        }

        public boolean isArray() {
            return kind == Kind.ARRAY;
        }

        public boolean isTrue() {
            return Boolean.TRUE.equals(value);
        }

        public Optional<Node> object(String name) {
            return Optional.ofNullable(members.get(name)).filter(Node::isObject);
        }

        public List<Node> array(String name) {
            Node node = members.get(name);
            return node == null ? List.of() : node.elements;
        }

        public Optional<String> string(String name) {
            Node node = members.get(name);
            return node != null && node.value instanceof String text ? Optional.of(text) : Optional.empty();
        }
    }

    /** Inserts something as the first entry of an object or array. */
    public JsonDocument inserted(Node container, String first, String then) {
        int at = container.start + 1;
        String added = text.contains("\r\n") ? (first + then).replace("\n", "\r\n") : first + then;
        return new JsonDocument(text.substring(0, at) + added + text.substring(at));
    }

    public JsonDocument withoutMember(Node owner, String name) {
        Node member = owner.members.get(name);
        if (member == null) {
            throw new IllegalArgumentException("it has no member " + name);
        }
        return removed(owner.names, List.copyOf(owner.members.keySet()).indexOf(name), member.end);
    }

    public JsonDocument withoutElement(List<Node> elements, int index) {
        return removed(elements.stream().map(Node::start).toList(), index, elements.get(index).end);
    }

    /**
     * Removes one entry. The first goes with the space before and the comma after it, as it was inserted; any other
     * with the comma before it.
     */
    private JsonDocument removed(List<Integer> starts, int index, int end) {
        int from = starts.get(index);
        int to = end;
        while (Character.isWhitespace(text.charAt(from - 1))) {
            from--;
        }
        if (index > 0 && text.charAt(from - 1) == ',') {
            from--;
        } else {
            int comma = to;
            while (Character.isWhitespace(text.charAt(comma))) {
                comma++;
            }
            boolean more = text.charAt(comma) == ',';
            to = more ? comma + 1 : comma;
        }
        return new JsonDocument(text.substring(0, from) + text.substring(to));
    }

    /** The document's object. */
    public Node root() {
        // a byte order mark counts as a space, so that positions stay the same
        String json = text.startsWith("\uFEFF") ? " " + text.substring(1) : text;
        try {
            Node root = JsonReader.read(json, true, NODES);
            if (!root.isObject()) {
                throw Failure.invalid("not a JSON object; fix that first");
            }
            return root;
        } catch (NotJsonException e) {
            throw Failure.invalid("not valid JSON, at " + e.place() + ": " + e.problem());
        }
    }
}
