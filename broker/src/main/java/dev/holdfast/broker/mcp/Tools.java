package dev.holdfast.broker.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.holdfast.broker.api.ErrorResponses;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.mcp.Method.Result;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.JsonSchema;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The verbs of an endpoint as tools. */
final class Tools {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    /**
     * Verbs whose answers contain what the next call needs: ids, generations, cursors. For the others, a model sees the
     * answer when it comes; describing the fields of sixty answers up front would cost more than it is worth.
     */
    private static final Set<String> WITH_OUTPUT_SCHEMA = Set.of(
            "start_session",
            "claim",
            "claim_next",
            "claim_work",
            "claim_next_work",
            "create_work",
            "reserve_paths",
            "create_review",
            "get_review_status",
            "claim_review",
            "claim_next_review",
            "get_proposal",
            "create_task",
            "claim_step",
            "claim_next_step",
            "complete_step",
            "claim_finalization",
            "get_events");

    private final Toolset toolset;
    private final Callers callers;
    private final Map<String, Verb> verbs;
    private final List<Verb> listed;
    private @Nullable Listed list;

    private record Hints(
            boolean readOnlyHint, boolean destructiveHint, boolean idempotentHint, boolean openWorldHint) {}

    private record Tool(
            String name,
            String title,
            String description,
            Map<String, @Nullable Object> inputSchema,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<String, @Nullable Object> outputSchema,

            Hints annotations) {}

    private record Listed(List<Tool> tools) {}

    private record Called(
            List<TextContent> content, boolean isError, Map<String, @Nullable Object> structuredContent) {}

    Tools(Toolset toolset, List<Verb> verbs, Callers callers) {
        this.toolset = toolset;
        this.callers = callers;
        listed = verbs;
        this.verbs = verbs.stream().collect(Collectors.toMap(Verb::name, verb -> verb, (a, _) -> a, TreeMap::new));
    }

    /** Created on first use, to keep startup fast. */
    private synchronized Listed list() {
        if (list == null) {
            list = new Listed(listed.stream().map(Tools::tool).toList());
        }
        return list;
    }

    private static Tool tool(Verb verb) {
        return new Tool(
                verb.name(),
                verb.title(),
                verb.description(),
                JsonSchema.of(verb.arguments()),
                WITH_OUTPUT_SCHEMA.contains(verb.name()) ? OutputSchema.of(verb.result()) : null,
                new Hints(
                        verb.effect().readOnly(),
                        verb.effect().destructive(),
                        verb.effect().idempotent(),
                        false));
    }

    Map<String, Method> methods() {
        return Map.of("tools/list", (_, _) -> Result.of(list()), "tools/call", this::call);
    }

    private Result call(JsonNode params, Origin origin) {
        String name = params.path("name").asString("");
        Verb verb = verbs.get(name);
        if (verb == null) {
            throw RpcException.invalidParams("there is no tool '" + RpcException.shortened(name) + "' at "
                    + toolset.path() + "; the tools are " + String.join(", ", verbs.keySet()));
        }
        JsonNode arguments = params.path("arguments");
        if (arguments.isMissingNode() || arguments.isNull()) {
            arguments = MAPPER.createObjectNode();
        }
        if (!arguments.isObject()) {
            throw RpcException.invalidParams("params.arguments must be a JSON object");
        }
        Answer answer = answer(verb, arguments, origin);
        String text =
                answer.broken() ? String.valueOf(answer.body().get("error")) : MAPPER.writeValueAsString(answer.body());
        return new Result(new Called(List.of(TextContent.of(text)), answer.broken(), answer.body()), answer);
    }

    private Answer answer(Verb verb, JsonNode arguments, Origin origin) {
        try {
            return callers.call(verb, arguments, origin);
        } catch (RuntimeException e) {
            return ErrorResponses.broken("the tool " + verb.name(), e);
        }
    }
}
