package dev.holdfast.broker.metrics;

import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Grafana's board asks for. */
public final class Board {
    private static final Path FILE = Path.of("..", "deploy", "grafana", "holdfast.json");

    private Board() {}

    /** Of Prometheus. */
    static List<String> queries() {
        return asked("expr");
    }

    /** Of PostgreSQL. */
    public static List<String> statements() {
        return asked("rawSql");
    }

    private static List<String> asked(String language) {
        JsonNode board = JsonMapper.shared().readTree(FILE.toFile());
        return board.path("panels")
                .valueStream()
                .flatMap(panel -> panel.path("targets").valueStream())
                .filter(target -> target.has(language))
                .map(target -> target.path(language).asString())
                .toList();
    }

    /** As Grafana does before it asks. */
    public static String filledIn(String query) {
        return query.replace("$__rate_interval", "1m")
                .replace("$job", "holdfast")
                .replaceAll("\\$__timeFilter\\((\\w+)\\)", "$1 BETWEEN now() - interval '3 hours' AND now()");
    }
}
