package dev.holdfast.broker.metrics;

import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Grafana's board asks for. */
final class Board {
    private static final Path FILE = Path.of("..", "deploy", "grafana", "holdfast.json");

    private Board() {}

    static List<String> queries() {
        JsonNode board = JsonMapper.shared().readTree(FILE.toFile());
        return board.path("panels")
                .valueStream()
                .flatMap(panel -> panel.path("targets").valueStream())
                .map(target -> target.path("expr").asString())
                .toList();
    }

    /** As Grafana does before it asks. */
    static String filledIn(String query) {
        return query.replace("$__rate_interval", "1m").replace("$job", "holdfast");
    }
}
