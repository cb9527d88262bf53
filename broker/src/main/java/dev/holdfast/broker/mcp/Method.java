package dev.holdfast.broker.mcp;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** One method of MCP. */
interface Method {
    /**
     * @throws RpcException when the parameters are not those of the method, or name nothing that exists
     */
    Result answer(JsonNode params, Origin origin);

    /**
     * What a method answers.
     *
     * @param value written as JSON
     * @param answer of the verb behind it, which wants to know whether it was delivered
     */
    record Result(Object value, Answer answer) {
        private static final Answer NO_VERB = Answer.of(Map.of());

        static Result of(Object value) {
            return new Result(value, NO_VERB);
        }
    }
}
