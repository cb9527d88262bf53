package dev.holdfast.cli.hooks;

import dev.holdfast.cli.broker.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * A host's settings as text, with our hooks put in or taken out. Everything else stays as somebody wrote it: comments, order,
 * indentation, trailing commas.
 */
record SettingsText(String text) {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private static final Pattern OURS = Pattern.compile(
            ".*/" + Pattern.quote(AgentHost.SCRIPT) + "\\b.*|https?://[^ ]+/hooks/(claude|codex)(\\?.*)?");

    static final SettingsText EMPTY = new SettingsText("{}\n");

    /**
     * A value and where it stands.
     *
     * @param end behind its last character; of plain values it is not known
     * @param names where the members' names begin, in their order
     */
    private record Node(
            int start, int end, Map<String, Node> members, List<Integer> names, List<Node> elements, Object value) {
        boolean isObject() {
            return value == JsonToken.START_OBJECT;
        }

        boolean isArray() {
            return value == JsonToken.START_ARRAY;
        }

        Optional<Node> object(String name) {
            return Optional.ofNullable(members.get(name)).filter(Node::isObject);
        }

        List<Node> array(String name) {
            Node node = members.get(name);
            return node == null ? List.of() : node.elements;
        }
    }

    /** Itself, when it can be understood. */
    SettingsText checked() {
        parse();
        return this;
    }

    /** Whether a switch at the top is on. */
    boolean isOn(String name) {
        Node node = parse().members.get(name);
        return node != null && node.value == JsonToken.VALUE_TRUE;
    }

    boolean has(String name) {
        return parse().members.containsKey(name);
    }

    /** With these groups, each in front of what its event has already; without any that were there of ours. */
    SettingsText with(Map<String, String> groups) {
        SettingsText result = without();
        for (Map.Entry<String, String> group : groups.entrySet()) {
            result = result.with(group.getKey(), group.getValue());
        }
        return result;
    }

    private SettingsText with(String event, String group) {
        Node root = parse();
        Optional<Node> hooks = root.object("hooks");
        if (hooks.isEmpty()) {
            refuse(root.members.get("hooks"), "hooks", "an object");
            return inserted(root, "\n  \"hooks\": {}", root.members.isEmpty() ? "\n" : ",")
                    .with(event, group);
        }
        Node there = hooks.get().members.get(event);
        if (there == null) {
            boolean only = hooks.get().members.isEmpty();
            return inserted(hooks.get(), "\n    \"" + event + "\": []", only ? "\n  " : ",")
                    .with(event, group);
        }
        if (!there.isArray()) {
            refuse(there, "hooks." + event, "an array");
        }
        return inserted(there, "\n      " + group, there.elements.isEmpty() ? "\n    " : ",");
    }

    private static void refuse(@Nullable Node there, String name, String wanted) {
        if (there != null) {
            throw Failure.invalid("\"" + name + "\" is not " + wanted + "; fix that first");
        }
    }

    private SettingsText inserted(Node container, String first, String then) {
        int at = container.start + 1;
        String added = text.contains("\r\n") ? (first + then).replace("\n", "\r\n") : first + then;
        return new SettingsText(text.substring(0, at) + added + text.substring(at));
    }

    /** Without anything of ours, nor what is empty without it. */
    SettingsText without() {
        Optional<SettingsText> less = withoutOne();
        return less.isPresent() ? less.get().without() : this;
    }

    boolean isEmpty() {
        return parse().members.isEmpty();
    }

    /** What of ours is here: the event's name, and the command or address. */
    Map<String, String> ours() {
        Map<String, String> found = new LinkedHashMap<>();
        parse().object("hooks")
                .ifPresent(hooks -> hooks.members.forEach((event, groups) -> {
                    for (Node group : groups.elements) {
                        for (Node handler : group.array("hooks")) {
                            target(handler).ifPresent(target -> found.put(event, target));
                        }
                    }
                }));
        return found;
    }

    private Optional<SettingsText> withoutOne() {
        Node root = parse();
        Optional<Node> hooks = root.object("hooks");
        if (hooks.isEmpty()) {
            return Optional.empty();
        }
        for (Map.Entry<String, Node> event : hooks.get().members.entrySet()) {
            List<Node> groups = event.getValue().elements;
            for (int i = 0; i < groups.size(); i++) {
                List<Node> handlers = groups.get(i).array("hooks");
                for (int j = 0; j < handlers.size(); j++) {
                    if (target(handlers.get(j)).isEmpty()) {
                        continue;
                    }
                    if (handlers.size() > 1) {
                        return Optional.of(removed(starts(handlers), j, handlers.get(j).end));
                    }
                    if (groups.size() > 1) {
                        return Optional.of(removed(starts(groups), i, groups.get(i).end));
                    }
                    return Optional.of(withoutEvent(root, hooks.get(), event.getKey()));
                }
            }
        }
        return Optional.empty();
    }

    private SettingsText withoutEvent(Node root, Node hooks, String event) {
        Node owner = hooks.members.size() == 1 ? root : hooks;
        String name = hooks.members.size() == 1 ? "hooks" : event;
        int index = List.copyOf(owner.members.keySet()).indexOf(name);
        Node member = owner.members.get(name);
        if (member == null) {
            throw new IllegalStateException(name + " was there a moment ago");
        }
        return removed(owner.names, index, member.end);
    }

    private static List<Integer> starts(List<Node> nodes) {
        return nodes.stream().map(Node::start).toList();
    }

    /**
     * Removes one of several. The first goes with the space before it and the comma after it, as it was put there; any other
     * with the comma before it.
     */
    private SettingsText removed(List<Integer> starts, int index, int end) {
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
        return new SettingsText(text.substring(0, from) + text.substring(to));
    }

    private static Optional<String> target(Node handler) {
        for (String key : List.of("command", "url")) {
            Node node = handler.members.get(key);
            if (node != null
                    && node.value instanceof String target
                    && OURS.matcher(target).matches()) {
                return Optional.of(target);
            }
        }
        return Optional.empty();
    }

    private Node parse() {
        // a byte order mark counts as a space, so that all keeps its place
        String json = text.startsWith("\uFEFF") ? " " + text.substring(1) : text;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            Node root = parser.nextToken() == null ? null : node(parser);
            if (root == null || !root.isObject() || parser.nextToken() != null) {
                throw Failure.invalid("not a JSON object; fix that first");
            }
            return root;
        } catch (JacksonException e) {
            throw Failure.invalid("not valid JSON, at line " + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr() + ": " + e.getOriginalMessage());
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
