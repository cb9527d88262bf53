package dev.holdfast.cli.hooks;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.settings.JsonDocument;
import dev.holdfast.cli.settings.JsonDocument.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A host's settings as text, in which our hooks are added or removed. Everything else stays as somebody wrote it. */
record SettingsText(JsonDocument document) {
    private static final Pattern OURS = Pattern.compile(
            ".*/" + Pattern.quote(AgentHost.SCRIPT) + "\\b.*|https?://[^ ]+/hooks/(claude|codex)(\\?.*)?");

    static final SettingsText EMPTY = new SettingsText(JsonDocument.EMPTY);

    SettingsText(String text) {
        this(new JsonDocument(text));
    }

    String text() {
        return document.text();
    }

    /** Itself, if it can be parsed. */
    SettingsText checked() {
        document.root();
        return this;
    }

    /** Whether a top-level switch is on. */
    boolean isOn(String name) {
        Node node = document.root().members().get(name);
        return node != null && node.isTrue();
    }

    boolean has(String name) {
        return document.root().members().containsKey(name);
    }

    /** With these groups, each in front of its event's existing ones, replacing all of ours. */
    SettingsText with(Map<String, String> groups) {
        SettingsText result = without();
        for (Map.Entry<String, String> group : groups.entrySet()) {
            result = result.with(group.getKey(), group.getValue());
        }
        return result;
    }

    private SettingsText with(String event, String group) {
        Node root = document.root();
        Optional<Node> hooks = root.object("hooks");
        if (hooks.isEmpty()) {
            refuse(root.members().get("hooks"), "hooks", "an object");
            return inserted(root, "\n  \"hooks\": {}", root.members().isEmpty() ? "\n" : ",")
                    .with(event, group);
        }
        Node there = hooks.get().members().get(event);
        if (there == null) {
            boolean only = hooks.get().members().isEmpty();
            return inserted(hooks.get(), "\n    \"" + event + "\": []", only ? "\n  " : ",")
                    .with(event, group);
        }
        if (!there.isArray()) {
            refuse(there, "hooks." + event, "an array");
        }
        return inserted(there, "\n      " + group, there.elements().isEmpty() ? "\n    " : ",");
    }

    private static void refuse(@Nullable Node there, String name, String wanted) {
        if (there != null) {
            throw Failure.invalid("\"" + name + "\" is not " + wanted + "; fix that first");
        }
    }

    private SettingsText inserted(Node container, String first, String then) {
        return new SettingsText(document.inserted(container, first, then));
    }

    /** Without anything of ours, or whatever is empty without it. */
    SettingsText without() {
        Optional<SettingsText> less = withoutOne().map(SettingsText::new);
        return less.isPresent() ? less.get().without() : this;
    }

    boolean isEmpty() {
        return document.root().members().isEmpty();
    }

    /** Our hooks in it: the event's name, and the command or address. */
    Map<String, String> ours() {
        Map<String, String> found = new LinkedHashMap<>();
        document.root()
                .object("hooks")
                .ifPresent(hooks -> hooks.members().forEach((event, groups) -> {
                    for (Node group : groups.elements()) {
                        for (Node handler : group.array("hooks")) {
                            target(handler).ifPresent(target -> found.put(event, target));
                        }
                    }
                }));
        return found;
    }

    private Optional<JsonDocument> withoutOne() {
        Node root = document.root();
        Optional<Node> hooks = root.object("hooks");
        if (hooks.isEmpty()) {
            return Optional.empty();
        }
        for (Map.Entry<String, Node> event : hooks.get().members().entrySet()) {
            List<Node> groups = event.getValue().elements();
            for (int i = 0; i < groups.size(); i++) {
                List<Node> handlers = groups.get(i).array("hooks");
                for (int j = 0; j < handlers.size(); j++) {
                    if (target(handlers.get(j)).isEmpty()) {
                        continue;
                    }
                    if (handlers.size() > 1) {
                        return Optional.of(document.withoutElement(handlers, j));
                    }
                    if (groups.size() > 1) {
                        return Optional.of(document.withoutElement(groups, i));
                    }
                    return Optional.of(
                            hooks.get().members().size() == 1
                                    ? document.withoutMember(root, "hooks")
                                    : document.withoutMember(hooks.get(), event.getKey()));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> target(Node handler) {
        return Stream.of("command", "url")
                .flatMap(key -> handler.string(key).stream())
                .filter(OURS.asMatchPredicate())
                .findFirst();
    }
}
