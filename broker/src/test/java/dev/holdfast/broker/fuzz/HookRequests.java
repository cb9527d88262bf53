package dev.holdfast.broker.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What Claude Code and Codex tell their hooks, and worse. Whatever comes, the answer is one that a host understands. */
final class HookRequests implements Door {
    private static final List<String> EVENTS = List.of(
            "SessionStart",
            "SessionEnd",
            "PreToolUse",
            "PreToolUse",
            "PostToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "SubagentStart",
            "SubagentStop",
            "Stop",
            "Interrupt",
            "UserPromptSubmit",
            "Notification",
            "PreCompact",
            "PermissionRequest",
            "HoldfastSelfTest",
            "");
    private static final List<String> TOOLS = List.of(
            "Write", "Edit", "MultiEdit", "NotebookEdit", "Bash", "apply_patch", "shell", "mcp__holdfast__claim");
    private static final Set<String> ANSWERS = Set.of("systemMessage", "hookSpecificOutput");
    private static final String SESSION = "\"session_id\"";
    private static final String PATCH = """
            *** Begin Patch
            *** Update File: src/a.txt
            *** Move to: src/b.txt
            @@
            -one
            +two
            *** Add File: c.txt
            +x
            *** End Patch
            """;

    private final Path folder;

    HookRequests(Path folder) {
        this.folder = folder;
    }

    @Override
    public Input next(Noise noise) {
        Map<String, @Nullable Object> call = new LinkedHashMap<>();
        call.put(
                "session_id",
                noise.oneIn(12) ? noise.odd(0) : "s" + noise.random().nextInt(20));
        call.put("transcript_path", "/home/ann/.claude/projects/x/s.jsonl");
        call.put("cwd", noise.oneIn(6) ? noise.odd(0) : folder.toString());
        call.put("permission_mode", "default");
        call.put("hook_event_name", noise.oneIn(20) ? noise.odd(0) : noise.oneOf(EVENTS));
        if (noise.oneIn(2)) {
            call.put("tool_name", noise.oneIn(10) ? noise.odd(0) : noise.oneOf(TOOLS));
            call.put("tool_input", noise.oneIn(10) ? noise.odd(0) : tool(noise));
            call.put(
                    "tool_use_id",
                    noise.oneIn(10) ? noise.odd(0) : "toolu_" + noise.random().nextInt(5));
            call.put("tool_response", noise.odd(0));
        }
        if (noise.oneIn(4)) {
            call.put(
                    "agent_id",
                    noise.oneIn(4) ? noise.odd(0) : "sub" + noise.random().nextInt(4));
            call.put("agent_type", "Explore");
        }
        if (noise.oneIn(3)) {
            call.put(
                    "source",
                    noise.oneIn(8)
                            ? noise.odd(0)
                            : noise.oneOf(List.of("startup", "resume", "clear", "compact", "fork")));
            call.put(
                    "reason",
                    noise.oneIn(8) ? noise.odd(0) : noise.oneOf(List.of("clear", "logout", "resume", "other")));
        }
        if (noise.oneIn(20)) {
            call.put(noise.text(), noise.odd(0));
        }
        List<String> headers = new ArrayList<>(
                List.of("Content-Type: " + (noise.oneIn(80) ? Door.oneLine(noise.text()) : "application/json")));
        if (noise.oneIn(4)) {
            headers.add("Holdfast-Pid: "
                    + (noise.oneIn(2)
                            ? Door.oneLine(noise.text())
                            : ProcessHandle.current().pid()));
            headers.add("Holdfast-Host: " + Door.oneLine(noise.text()));
        }
        if (noise.oneIn(40)) {
            headers.add("Authorization: Bearer " + Door.oneLine(noise.text()));
        }
        String path = noise.oneOf(List.of("/hooks/claude", "/hooks/codex"))
                + noise.oneOf(List.of("", "?guard=paths", "?guard=%zz"));
        return Input.post(noise, path, headers, noise.json(noise.oneIn(100) ? noise.odd(0) : call), null);
    }

    private static Map<String, @Nullable Object> tool(Noise noise) {
        Map<String, @Nullable Object> tool = new LinkedHashMap<>();
        switch (noise.random().nextInt(4)) {
            case 0 -> tool.put("command", noise.oneIn(2) ? PATCH : noise.damaged(PATCH));
            case 1 ->
                tool.put(
                        noise.oneOf(List.of("input", "patch", "notebook_path")), noise.oneIn(3) ? noise.odd(0) : PATCH);
            default -> tool.put("file_path", noise.oneIn(3) ? noise.odd(0) : "src/" + noise.text());
        }
        return tool;
    }

    @Override
    public Outcome judge(Input input, Wire.Response response, Learnt learnt) {
        JsonNode body = Door.json(response);
        Set<Integer> early = Set.of(400, 401, 403, 431);
        if (early.contains(response.status()) && HttpRequests.code(body).isPresent()) {
            return new Outcome(HttpRequests.code(body).get().toString(), false, null);
        }
        if (response.status() != 200
                || body == null
                || !body.isObject()
                || !ANSWERS.containsAll(body.propertyNames())) {
            return Outcome.wrong("no answer that a host understands", response);
        }
        learnt.from(body);
        if (body.at("/hookSpecificOutput/permissionDecision").asString("").equals("deny")) {
            return new Outcome("denied", true, null);
        }
        return understood(input)
                ? new Outcome(body.isEmpty() ? "nothing to say" : "told something", true, null)
                : new Outcome("not understood", false, null);
    }

    /** Whether it is JSON with the id of a session; whoever is nobody changes nothing. Of two ids the broker may take either. */
    private static boolean understood(Input input) {
        try {
            JsonNode given = JSON.readTree(input.content());
            return input.body().indexOf(SESSION) != input.body().lastIndexOf(SESSION)
                    || !given.path("session_id").asString("").isBlank();
        } catch (JacksonException _) {
            return false;
        }
    }
}
