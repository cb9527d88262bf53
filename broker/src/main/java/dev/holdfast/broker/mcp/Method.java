package dev.holdfast.broker.mcp;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An MCP method. */
interface Method {
    /** @throws RpcException when the parameters do not fit the method, or name nothing that exists */
    Result answer(JsonNode params, Origin origin);

    /**
     * A method's answer.
     *
     * @param value written as JSON
     * @param answer the underlying verb's answer, which must be told whether it was delivered
     */
    record Result(Object value, Answer answer) {
        private static final Answer NO_VERB = Answer.of(Map.of());

        static Result of(Object value) {
            return new Result(value, NO_VERB);
        }
    }
}
