package dev.holdfast.broker.mcp;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A method of MCP that is answered here and not by the SDK, whose lists can't change from call to call. */
interface Method {
    /**
     * @param authorization what the caller shows to prove who it is
     * @return the result, as JSON will tell it
     * @throws RpcException when the parameters are not those of the method, or name nothing that is there
     */
    Object answer(JsonNode params, @Nullable String authorization);
}
