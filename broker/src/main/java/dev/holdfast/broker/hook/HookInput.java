package dev.holdfast.broker.hook;

import dev.holdfast.agent.HostedSessions;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * What a host sends to a hook. Keeps only what is needed and skips the rest: a tool's result may have many megabytes.
 * Of what is larger than the limit, only the beginning counts: hosts send the result last.
 *
 * @param fields by name
 * @param paths the files that the tool is about to write, as the host names them
 */
record HookInput(Map<String, String> fields, List<String> paths) {
    private static final Set<String> KEPT =
            Set.of("session_id", "hook_event_name", "cwd", "source", "reason", "agent_id", "tool_name", "tool_use_id");

    /** Arguments with the file that a tool writes. */
    private static final Set<String> FILE = Set.of("file_path", "notebook_path");

    /** Arguments in which Codex sends a patch. */
    private static final Set<String> PATCH = Set.of("command", "input", "patch");

    /** Longer texts cannot be one of the kept fields: the hosts' own limits on paths and ids are far lower. */
    private static final int LONGEST = 4_096;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxStringLength(16 << 20).build())
            .build();

    /**
     * @param limit in bytes
     * @throws JacksonException when it is not JSON
     * @throws InvalidException when something follows the JSON, or a field cannot be stored
     */
    static HookInput read(InputStream body, int limit) throws IOException {
        Map<String, String> fields = new HashMap<>();
        Map<String, String> files = new HashMap<>();
        LimitedInput first = new LimitedInput(body, limit);
        try {
            read(first, fields, files);
        } catch (JacksonException e) {
            if (!first.isCut()) {
                throw e;
            }
            // reads on for a while: a host that is still sending would see a broken connection instead of the answer
            body.skip(limit);
        }
        return new HookInput(fields, paths(fields.getOrDefault("tool_name", ""), files));
    }

    private static void read(InputStream body, Map<String, String> fields, Map<String, String> files) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (value == JsonToken.VALUE_STRING && KEPT.contains(name)) {
                        put(fields, name, Text.storable(name, parser.getString()), LONGEST);
                    } else if (value == JsonToken.START_OBJECT && name.equals("tool_input")) {
                        readFiles(parser, files);
                    } else {
                        parser.skipChildren();
                    }
                }
            } else if (first != null) {
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                throw new InvalidException("something follows the JSON object");
            }
        }
    }

    private static void readFiles(JsonParser parser, Map<String, String> files) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_STRING && (FILE.contains(name) || PATCH.contains(name))) {
                put(files, name, parser.getString(), PATCH.contains(name) ? Integer.MAX_VALUE : LONGEST);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void put(Map<String, String> fields, String name, String value, int longest) {
        if (!value.isBlank() && value.length() <= longest) {
            fields.put(name, value);
        }
    }

    private static List<String> paths(String tool, Map<String, String> files) {
        List<String> paths = new ArrayList<>();
        switch (tool) {
            case "Edit", "Write", "MultiEdit", "NotebookEdit" ->
                files.forEach((name, value) -> {
                    if (FILE.contains(name)) {
                        paths.add(value);
                    }
                });
            case "apply_patch" ->
                files.forEach((name, value) -> {
                    if (PATCH.contains(name)) {
                        paths.addAll(patched(value));
                    }
                });
            default -> {}
        }
        return paths;
    }

    /** The files that a Codex patch names. */
    private static List<String> patched(String patch) {
        List<String> paths = new ArrayList<>();
        for (String line : patch.split("\n", -1)) {
            for (String mark : List.of("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")) {
                if (line.startsWith(mark)) {
                    paths.add(line.substring(mark.length()).strip());
                }
            }
        }
        return paths;
    }

    String event() {
        return fields.getOrDefault("hook_event_name", "");
    }

    @Nullable
    String field(String name) {
        return fields.get(name);
    }

    /** The session id of the subagent that it is about; null: of none. */
    @Nullable
    String subagent() {
        String session = session();
        String subagent = field("agent_id");
        return session == null || subagent == null ? null : HostedSessions.subagent(session, subagent);
    }

    /** The session id; null if missing or "unknown". */
    @Nullable
    String session() {
        String id = fields.get("session_id");
        return id == null || id.equals("unknown") ? null : id;
    }
}
