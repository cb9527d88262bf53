package dev.holdfast.broker.mcp;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What is handed past the SDK: the arguments as they came, where they came from, and the answer, which may have to be taken back. */
final class Call {
    static final String KEY = "call";

    private final JsonNode arguments;
    private final Origin origin;
    private Answer answer = Answer.of(Map.of());

    Call(JsonNode arguments, Origin origin) {
        this.arguments = arguments;
        this.origin = origin;
    }

    JsonNode arguments() {
        return arguments;
    }

    Origin origin() {
        return origin;
    }

    void answered(Answer given) {
        answer = given;
    }

    /** What the verb answered; nothing depends on it when no verb was called. */
    Answer answer() {
        return answer;
    }
}
