package dev.holdfast.broker.mcp;

import dev.holdfast.broker.verb.Answer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is handed past the SDK: the arguments as they came, who says to have sent them, and the answer, which may have to be taken back. */
final class Call {
    static final String KEY = "call";

    private final JsonNode arguments;
    private final @Nullable String authorization;
    private Answer answer = Answer.of(Map.of());

    Call(JsonNode arguments, @Nullable String authorization) {
        this.arguments = arguments;
        this.authorization = authorization;
    }

    JsonNode arguments() {
        return arguments;
    }

    /** What the caller shows to prove who it is. */
    @Nullable
    String authorization() {
        return authorization;
    }

    void answered(Answer given) {
        answer = given;
    }

    /** What the verb answered; nothing depends on it when no verb was called. */
    Answer answer() {
        return answer;
    }
}
