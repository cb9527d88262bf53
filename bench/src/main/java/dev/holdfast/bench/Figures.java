package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import tools.jackson.databind.json.JsonMapper;

/** Figures passed from a child process: one line of JSON. */
final class Figures {
    private Figures() {}

    static String write(Figure figure) {
        return JsonMapper.shared().writeValueAsString(figure);
    }

    static Figure read(String line) {
        return JsonMapper.shared().readValue(line, Figure.class);
    }
}
