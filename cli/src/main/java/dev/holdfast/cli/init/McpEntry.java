package dev.holdfast.cli.init;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.settings.JsonDocument;
import dev.holdfast.cli.settings.JsonDocument.Node;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holdfast's entry among the MCP servers in a JSON file. An existing entry of this name stays as it is.
 *
 * @param entry the server's JSON
 */
record McpEntry(String entry) implements FilePart {
    private static final String SERVERS = "mcpServers";
    private static final String NAME = "holdfast";

    @Override
    public String with(@Nullable String text) {
        JsonDocument document = text == null || text.isBlank() ? JsonDocument.EMPTY : new JsonDocument(text);
        Node root = document.root();
        Optional<Node> servers = root.object(SERVERS);
        if (servers.isEmpty()) {
            if (root.members().containsKey(SERVERS)) {
                throw Failure.invalid("\"" + SERVERS + "\" is not an object; fix that first");
            }
            return with(document.inserted(
                            root, "\n  \"" + SERVERS + "\": {}", root.members().isEmpty() ? "\n" : ",")
                    .text());
        }
        if (servers.get().members().containsKey(NAME)) {
            return document.text();
        }
        return document.inserted(
                        servers.get(),
                        "\n    \"" + NAME + "\": " + entry,
                        servers.get().members().isEmpty() ? "\n  " : ",")
                .text();
    }

    @Override
    public String without(String text) {
        JsonDocument document = new JsonDocument(text);
        Node root = document.root();
        Optional<Node> servers =
                root.object(SERVERS).filter(there -> there.members().containsKey(NAME));
        if (servers.isEmpty()) {
            return text;
        }
        return (servers.get().members().size() == 1
                        ? document.withoutMember(root, SERVERS)
                        : document.withoutMember(servers.get(), NAME))
                .text();
    }
}
