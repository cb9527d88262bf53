package dev.holdfast.broker.mcp;

import dev.holdfast.broker.api.Troubles;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.JsonSchema;
import dev.holdfast.broker.verb.Verb;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A verb as a tool. */
final class Tools {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private Tools() {}

    static SyncToolSpecification of(Verb verb, Callers callers) {
        Tool tool = Tool.builder(verb.name(), JsonSchema.of(verb.arguments()))
                .title(verb.title())
                .description(verb.description())
                .outputSchema(OutputSchema.of(verb.result()))
                .annotations(ToolAnnotations.builder()
                        .readOnlyHint(verb.nature().readOnly())
                        .destructiveHint(verb.nature().destructive())
                        .idempotentHint(verb.nature().idempotent())
                        .openWorldHint(false)
                        .build())
                .build();
        return SyncToolSpecification.builder()
                .tool(tool)
                .callHandler((context, _) -> call(verb, callers, context))
                .build();
    }

    private static CallToolResult call(Verb verb, Callers callers, McpTransportContext context) {
        Call call = (Call) Objects.requireNonNull(context.get(Call.KEY));
        Answer answer = answer(verb, callers, call);
        call.answered(answer);
        return CallToolResult.builder()
                .structuredContent(answer.body())
                .addTextContent(
                        answer.broken()
                                ? String.valueOf(answer.body().get("error"))
                                : MAPPER.writeValueAsString(answer.body()))
                .isError(answer.broken())
                .build();
    }

    private static Answer answer(Verb verb, Callers callers, Call call) {
        JsonNode arguments = call.arguments();
        try {
            return callers.call(verb, arguments.isObject() ? arguments : MAPPER.createObjectNode(), call.origin());
        } catch (RuntimeException e) {
            return Troubles.broken("the tool " + verb.name(), e);
        }
    }
}
