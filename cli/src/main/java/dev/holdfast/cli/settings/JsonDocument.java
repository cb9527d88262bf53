package dev.holdfast.cli.settings;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * A JSON object as somebody wrote it. Values are inserted and removed in place: comments, order, indentation and
 * trailing commas stay, and removing what was inserted restores the same bytes.
 */
public record JsonDocument(String text) {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    public static final JsonDocument EMPTY = new JsonDocument("{}\n");

    /**
     * A value and its position.
     *
     * @param end after its last character; unknown for scalars
     * @param names where the members' names begin, in order
     */
    public record Node(
            int start, int end, Map<String, Node> members, List<Integer> names, List<Node> elements, Object value) {
        public boolean isObject() {
            return value == JsonToken.START_OBJECT;
        }

        public boolean isArray() {
            return value == JsonToken.START_ARRAY;
        }

        public boolean isTrue() {
            return value == JsonToken.VALUE_TRUE;
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
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            Node root = parser.nextToken() == null ? null : node(parser);
            if (root == null || !root.isObject() || parser.nextToken() != null) {
                throw Failure.invalid("not a JSON object; fix that first");
            }
            return root;
        } catch (JacksonException e) {
            String place = Json.place(e);
            throw Failure.invalid("not valid JSON" + (place.isEmpty() ? "" : "," + place) + ": " + Json.problem(e));
        }
    }

    private static Node node(JsonParser parser) {
        JsonToken token = parser.currentToken();
        int start = (int) parser.currentTokenLocation().getCharOffset();
        Map<String, Node> members = new LinkedHashMap<>();
        List<Integer> names = new ArrayList<>();
        List<Node> elements = new ArrayList<>();
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                names.add((int) parser.currentTokenLocation().getCharOffset());
                parser.nextToken();
                if (members.put(name, node(parser)) != null) {
                    throw Failure.invalid("\"" + name + "\" appears twice; fix that first");
                }
            }
        } else if (token == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(node(parser));
            }
        }
        Object value = token == JsonToken.VALUE_STRING ? parser.getString() : token;
        int end = (int) parser.currentTokenLocation().getCharOffset() + 1;
        return new Node(start, end, members, names, elements, value);
    }
}
