package dev.holdfast.cli.task;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Draws the dependencies between a task's steps: as text, or as SVG. */
public final class TaskGraph {
    public static final Command DEFINITION = Command.define("task graph", "Draw the dependencies between steps.")
            .description(
                    "As text, level by level: + succeeded, > claimed, o ready, x failed, - skipped or cancelled. With --svg, as an image.")
            .parameters(TaskCommands.ID)
            .options(Option.flag("--svg", "Print an SVG image."))
            .examples("holdfast task graph 3f2a9c", "holdfast task graph 3f2a9c --svg")
            .runs(TaskGraph::run);

    private static final long PAGE = 1_000;

    /** A step in the graph; its level is one more than the highest of its dependencies'. */
    record Node(String key, String state, List<String> dependsOn, int level) {}

    private TaskGraph() {}

    private static ExitCode run(Invocation invocation) {
        List<JsonObject> steps = new ArrayList<>();
        String name = "";
        if (invocation.arguments().has("--svg") && invocation.arguments().has("--json")) {
            throw Failure.invalid("--svg and --json cannot be used together");
        }
        BrokerClient broker = invocation.broker();
        Input input =
                new Input().with("task_id", invocation.parameter(0, "TASK")).with("limit", PAGE);
        while (true) {
            Reply reply = broker.call("get_task", input.fields());
            if (!reply.accepted()) {
                return invocation.print(reply, (_, _) -> ExitCode.DONE);
            }
            name = JsonText.text(reply.json(), "name");
            steps.addAll(reply.json().objects("steps"));
            String cursor = reply.json().text("next_cursor");
            if (cursor == null) {
                break;
            }
            input.with("cursor", cursor);
        }
        if (invocation.arguments().has("--json")) {
            List<Object> all = steps.stream().<Object>map(JsonObject::members).toList();
            invocation.printDocument(Json.write(Map.of("name", name, "steps", all)));
            return ExitCode.DONE;
        }
        Map<String, Node> nodes = laidOut(steps);
        List<String> lines = invocation.arguments().has("--svg") ? TaskSvg.of(name, nodes) : text(nodes);
        lines.forEach(invocation.shell().out()::println);
        return ExitCode.DONE;
    }

    /** Steps usually come after their dependencies, but steps added together may not: repeats until all are placed. */
    private static Map<String, Node> laidOut(List<JsonObject> steps) {
        Map<String, Node> nodes = new LinkedHashMap<>();
        List<JsonObject> left = new ArrayList<>(steps);
        while (!left.isEmpty()) {
            List<JsonObject> later = new ArrayList<>();
            for (JsonObject step : left) {
                List<String> before = keys(step);
                if (nodes.keySet().containsAll(before)) {
                    int level = 0;
                    for (String key : before) {
                        level = Math.max(
                                level, Objects.requireNonNull(nodes.get(key)).level() + 1);
                    }
                    String key = JsonText.text(step, "key");
                    nodes.put(key, new Node(key, JsonText.text(step, "state"), before, level));
                } else {
                    later.add(step);
                }
            }
            if (later.size() == left.size()) {
                break; // never happens: the broker rejects cycles
            }
            left = later;
        }
        return nodes;
    }

    private static List<String> keys(JsonObject step) {
        List<String> keys = new ArrayList<>();
        if (step.get("depends_on") instanceof List<?> list) {
            list.forEach(key -> keys.add(Printable.of(String.valueOf(key))));
        }
        return keys;
    }

    private static List<String> text(Map<String, Node> nodes) {
        List<String> lines = new ArrayList<>();
        for (Node node : nodes.values()) {
            lines.add("  ".repeat(node.level()) + TaskText.mark(node.state()) + " " + node.key()
                    + (node.dependsOn().isEmpty() ? "" : "  <- " + String.join(", ", node.dependsOn())));
        }
        return lines;
    }
}
