package dev.holdfast.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Draws which step of a task waits for which: as text, or as an SVG picture. */
final class TaskGraph {
    static final Command DEFINITION = new Command(
            "task graph",
            "Draw which step waits for which.",
            "As text, level by level: + succeeded, > claimed, o ready, x failed, - skipped or cancelled. With --svg as a picture.",
            List.of(TaskCommands.ID),
            List.of(Option.flag("--svg", "Print an SVG picture.")),
            List.of("holdfast task graph 3f2a9c", "holdfast task graph 3f2a9c --svg"),
            TaskGraph::run);

    private static final int COLUMN = 190;
    private static final int ROW = 46;
    private static final int WIDTH = 150;
    private static final int HEIGHT = 30;
    private static final long PAGE = 1_000;

    /** A step in the picture; its level is one more than the highest of those it waits for. */
    private record Node(String key, String state, List<String> dependsOn, int level, int place) {
        int x() {
            return 20 + level * COLUMN;
        }

        int y() {
            return 20 + place * ROW;
        }
    }

    private TaskGraph() {}

    private static ExitCode run(Invocation invocation) {
        List<JsonObject> steps = new ArrayList<>();
        BrokerDoor broker = invocation.broker();
        Input input =
                new Input().with("task_id", invocation.parameter(0, "TASK")).with("limit", PAGE);
        while (true) {
            Reply reply = broker.call("get_task", input.fields());
            if (!reply.accepted()) {
                return invocation.tell(reply, (_, _) -> ExitCode.DONE);
            }
            steps.addAll(reply.json().objects("steps"));
            String cursor = reply.json().text("next_cursor");
            if (cursor == null) {
                break;
            }
            input.with("cursor", cursor);
        }
        Map<String, Node> nodes = laidOut(steps);
        List<String> lines = invocation.arguments().has("--svg") ? svg(nodes) : text(nodes);
        lines.forEach(invocation.shell().out()::println);
        return ExitCode.DONE;
    }

    /** Steps come after those they wait for, or else wait for something that was added with them: looked at until all are placed. */
    private static Map<String, Node> laidOut(List<JsonObject> steps) {
        Map<String, Node> nodes = new LinkedHashMap<>();
        Map<Integer, Integer> places = new HashMap<>();
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
                    String key = ClaimText.text(step, "key");
                    int place = places.merge(level, 1, Integer::sum) - 1;
                    nodes.put(key, new Node(key, ClaimText.text(step, "state"), before, level, place));
                } else {
                    later.add(step);
                }
            }
            if (later.size() == left.size()) {
                break; // the broker lets no circle in
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

    private static List<String> svg(Map<String, Node> nodes) {
        int right = nodes.values().stream().mapToInt(Node::x).max().orElse(0) + WIDTH + 20;
        int bottom = nodes.values().stream().mapToInt(Node::y).max().orElse(0) + HEIGHT + 20;
        List<String> lines = new ArrayList<>();
        lines.add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + right + "\" height=\"" + bottom
                + "\" font-family=\"sans-serif\" font-size=\"13\">");
        for (Node node : nodes.values()) {
            for (String key : node.dependsOn()) {
                Node from = Objects.requireNonNull(nodes.get(key));
                int x1 = from.x() + WIDTH;
                int y1 = from.y() + HEIGHT / 2;
                int y2 = node.y() + HEIGHT / 2;
                lines.add("<path d=\"M%d %d C%d %d %d %d %d %d\" fill=\"none\" stroke=\"#999\"/>"
                        .formatted(x1, y1, x1 + 20, y1, node.x() - 20, y2, node.x(), y2));
            }
        }
        for (Node node : nodes.values()) {
            lines.add("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"%s\" stroke=\"#555\"/>"
                    .formatted(node.x(), node.y(), WIDTH, HEIGHT, colour(node.state())));
            String shown = node.key().length() <= 20 ? node.key() : node.key().substring(0, 19) + "…";
            lines.add("<text x=\"%d\" y=\"%d\">%s<title>%s: %s</title></text>"
                    .formatted(node.x() + 8, node.y() + 20, escaped(shown), escaped(node.key()), node.state()));
        }
        lines.add("</svg>");
        return lines;
    }

    private static String colour(String state) {
        return switch (state) {
            case "succeeded" -> "#cfe8cf";
            case "failed" -> "#f3c6c6";
            case "claimed" -> "#fbe7b2";
            case "ready", "retry_wait" -> "#d6e4f5";
            default -> "#eeeeee";
        };
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
