package dev.holdfast.cli.task;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The graph of a task as SVG, for light and dark pages. A step is to the right of its dependencies; a level with many
 * steps is split into several columns.
 */
final class TaskSvg {
    private static final int WIDTH = 168;
    private static final int HEIGHT = 30;
    private static final int ROW = 40;
    private static final int FOLD = WIDTH + 14;
    private static final int LEVEL = WIDTH + 64;
    private static final int MARGIN = 24;
    private static final int HEAD = 44;
    private static final int LEGEND = 128;
    private static final int MAX_ROWS = 16;
    private static final int LONGEST = 21;
    private static final List<String> STATES =
            List.of("waiting", "ready", "claimed", "retry_wait", "succeeded", "failed", "skipped", "cancelled");

    /** Without CSS variables, which not every viewer supports. */
    private static final String STYLE = """
            <style>
            text{font:13px system-ui,sans-serif;fill:#1f2328} .name{font-size:16px;font-weight:600} .legend{font-size:12px}
            .page{fill:#ffffff} .edge{fill:none;stroke:#8c959f;stroke-opacity:.55}
            .waiting,.skipped,.cancelled{fill:#f6f8fa;stroke:#8c959f} .skipped,.cancelled{stroke-dasharray:4 3}
            .ready{fill:#ddf4ff;stroke:#0969da} .claimed{fill:#fff8c5;stroke:#9a6700} .retry_wait{fill:#fff1e5;stroke:#bc4c00}
            .succeeded{fill:#dafbe1;stroke:#1a7f37} .failed{fill:#ffebe9;stroke:#cf222e}
            @media (prefers-color-scheme: dark){
            text{fill:#e6edf3} .page{fill:#0d1117} .edge{stroke:#7d8590}
            .waiting,.skipped,.cancelled{fill:#161b22;stroke:#6e7681}
            .ready{fill:#0c2d6b;stroke:#4493f8} .claimed{fill:#3b2300;stroke:#d29922} .retry_wait{fill:#3d1300;stroke:#db6d28}
            .succeeded{fill:#033a16;stroke:#3fb950} .failed{fill:#490202;stroke:#f85149}}
            </style>""";

    private record Place(int x, int y) {}

    private final String name;
    private final Map<String, TaskGraph.Node> nodes;
    private final Map<String, Place> places = new HashMap<>();
    private final List<String> lines = new ArrayList<>();
    private int right;
    private int bottom;

    private TaskSvg(String name, Map<String, TaskGraph.Node> nodes) {
        this.name = name;
        this.nodes = nodes;
    }

    static List<String> of(String name, Map<String, TaskGraph.Node> nodes) {
        TaskSvg picture = new TaskSvg(name, nodes);
        picture.place();
        picture.draw();
        return picture.lines;
    }

    /** Makes each level as square as its neighbours allow, and centres it vertically. */
    private void place() {
        SortedMap<Integer, List<TaskGraph.Node>> levels = new TreeMap<>();
        nodes.values()
                .forEach(node -> levels.computeIfAbsent(node.level(), _ -> new ArrayList<>())
                        .add(node));
        int max = levels.values().stream().mapToInt(List::size).max().orElse(0);
        int rows = Math.min(max, Math.max(MAX_ROWS, (int) Math.ceil(Math.sqrt(max))));
        int x = MARGIN;
        for (List<TaskGraph.Node> level : levels.values()) {
            int columns = Math.ceilDiv(level.size(), rows);
            int tall = Math.ceilDiv(level.size(), columns);
            int top = HEAD + (rows - tall) * ROW / 2;
            for (int i = 0; i < level.size(); i++) {
                places.put(level.get(i).key(), new Place(x + i / tall * FOLD, top + i % tall * ROW));
            }
            x += (columns - 1) * FOLD + LEVEL;
        }
        right = Math.max(x - LEVEL + WIDTH, MARGIN + STATES.size() / 2 * LEGEND) + MARGIN;
        bottom = HEAD + rows * ROW + MARGIN;
    }

    private void draw() {
        int height = bottom + 2 * MARGIN + 8;
        lines.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">"
                        .formatted(right, height, right, height));
        lines.add("<title>" + escaped(name) + "</title>");
        lines.add(STYLE);
        lines.add("<rect class=\"page\" width=\"100%\" height=\"100%\"/>");
        lines.add(text(MARGIN, 26, "name", name));
        nodes.values().forEach(this::edges);
        nodes.values().forEach(this::box);
        legend();
        lines.add("</svg>");
    }

    private void edges(TaskGraph.Node node) {
        Place to = placeOf(node.key());
        for (String key : node.dependsOn()) {
            Place from = placeOf(key);
            int x = from.x + WIDTH;
            int y = from.y + HEIGHT / 2;
            int end = to.y + HEIGHT / 2;
            lines.add("<path class=\"edge\" d=\"M%d %dC%d %d %d %d %d %d\"/>"
                    .formatted(x, y, x + 32, y, to.x - 32, end, to.x, end));
        }
    }

    private Place placeOf(String key) {
        return Objects.requireNonNull(places.get(key));
    }

    private void box(TaskGraph.Node node) {
        Place place = placeOf(node.key());
        String shown = node.key().length() <= LONGEST ? node.key() : node.key().substring(0, LONGEST - 1) + "…";
        lines.add("<g><title>" + escaped(node.key() + ": " + node.state()) + "</title>"
                + rectangle(place.x, place.y, WIDTH, HEIGHT, node.state())
                + text(place.x + 10, place.y + 20, "key", TaskText.mark(node.state()) + " " + shown) + "</g>");
    }

    private void legend() {
        for (int i = 0; i < STATES.size(); i++) {
            String state = STATES.get(i);
            long count = nodes.values().stream()
                    .filter(node -> node.state().equals(state))
                    .count();
            int x = MARGIN + i % (STATES.size() / 2) * LEGEND;
            int y = bottom + i / (STATES.size() / 2) * MARGIN;
            lines.add(rectangle(x, y - 10, 18, 12, state) + text(x + 24, y, "legend", state + " " + count));
        }
    }

    private static String rectangle(int x, int y, int width, int height, String state) {
        return "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>"
                .formatted(STATES.contains(state) ? state : "waiting", x, y, width, height);
    }

    private static String text(int x, int y, String look, String text) {
        return "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>".formatted(look, x, y, escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
