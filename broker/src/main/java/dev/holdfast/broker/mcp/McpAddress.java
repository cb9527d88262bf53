package dev.holdfast.broker.mcp;

import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.RefusedException;
import dev.holdfast.broker.api.Replies;
import dev.holdfast.broker.api.RequestBody;
import dev.holdfast.broker.api.Troubles;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.store.BusyException;
import io.javalin.http.Context;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * One MCP address: streamable HTTP without sessions and without streams, so that any broker answers any call and a
 * restart goes unnoticed. The SDK does the protocol, except for some {@link Method}s; this is its transport. The SDK's own is not used: it answers
 * malformed requests with stack traces, takes any protocol version, and would not tell whether an answer arrived.
 */
final class McpAddress implements McpStatelessServerTransport {
    private static final Logger LOG = LoggerFactory.getLogger(McpAddress.class);
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String VERSION_HEADER = "MCP-Protocol-Version";

    private final Toolset toolset;
    private final RequestBody body;
    private final Map<String, Verb> verbs;
    private final Map<String, Method> methods;
    private final Origins origins;
    private @Nullable McpStatelessServerHandler handler;

    /** @param methods what is answered here, by the name of the method; all else is the SDK's */
    McpAddress(
            Toolset toolset,
            List<Verb> verbs,
            Callers callers,
            Origins origins,
            Map<String, Method> methods,
            RequestBody body) {
        this.toolset = toolset;
        this.body = body;
        this.methods = methods;
        this.origins = origins;
        this.verbs = verbs.stream().collect(Collectors.toMap(Verb::name, verb -> verb));
        McpServer.sync(this)
                .serverInfo(McpSchema.Implementation.builder("holdfast", version())
                        .title("Holdfast")
                        .build())
                .instructions(Instructions.of(toolset))
                .capabilities(capabilities(methods))
                .jsonMapper(new JacksonMcpJsonMapper(MAPPER))
                // verbs check their arguments, with better words
                .validateToolInputs(false)
                .jsonSchemaValidator((_, _) -> ValidationResponse.asValid(""))
                // every request has a virtual thread of its own, on which it may wait
                .immediateExecution(true)
                .tools(verbs.stream().map(verb -> Tools.of(verb, callers)).toList())
                .build();
    }

    /** Nothing is said of what changes: there is no stream to say it on. */
    private static McpSchema.ServerCapabilities capabilities(Map<String, Method> methods) {
        var capabilities = McpSchema.ServerCapabilities.builder().tools(false);
        if (methods.containsKey("prompts/list")) {
            capabilities.prompts(false);
        }
        if (methods.containsKey("resources/list")) {
            capabilities.resources(false, false);
        }
        if (methods.containsKey("completion/complete")) {
            capabilities.completions();
        }
        return capabilities.build();
    }

    private static String version() {
        String version = McpAddress.class.getPackage().getImplementationVersion();
        return version == null ? "unreleased" : version;
    }

    String path() {
        return toolset.path();
    }

    @Override
    public void setMcpHandler(McpStatelessServerHandler mcpHandler) {
        handler = mcpHandler;
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty(); // there are no sessions to close
    }

    /** Answers one POST. */
    void answer(Context request) throws IOException {
        try {
            Message message = message(request);
            if (!Accepted.json(request.req().getHeaders("Accept"))) {
                throw new RpcException(
                        406,
                        RpcException.INVALID_REQUEST,
                        message.idToAnswer(),
                        "answers are application/json; accept that");
            }
            checkVersion(request.header(VERSION_HEADER), message);
            switch (message) {
                case Message.Request call when methods.containsKey(call.method()) -> answerHere(call, request);
                case Message.Request call -> answer(call, request);
                // nothing is kept between calls that a notification or a response could be for
                case Message.Notification _, Message.Response _ -> request.status(202);
            }
        } catch (RpcException e) {
            Replies.send(request, e.status(), Answer.of(e.told()));
        }
    }

    private Message message(Context request) throws IOException {
        try {
            return Message.of(body.read(request.req()));
        } catch (RefusedException e) {
            int code = e.status() == 400 ? RpcException.PARSE_ERROR : RpcException.INVALID_REQUEST;
            throw new RpcException(e.status(), code, null, String.valueOf(e.getMessage()));
        }
    }

    /** Who still negotiates may name any version; who leaves it out is taken for the oldest one. */
    private void checkVersion(@Nullable String version, Message message) {
        boolean negotiating =
                message instanceof Message.Request request && request.method().equals("initialize");
        if (version != null && !negotiating && !protocolVersions().contains(version.strip())) {
            throw new RpcException(
                    400,
                    RpcException.INVALID_REQUEST,
                    message.idToAnswer(),
                    VERSION_HEADER + " is not one of " + String.join(", ", protocolVersions())
                            + "; send the one that initialize answered");
        }
    }

    private void answerHere(Message.Request message, Context request) {
        Object result;
        try {
            result = Objects.requireNonNull(methods.get(message.method()))
                    .answer(message.params(), request.header("Authorization"));
        } catch (RpcException e) {
            throw e.to(message);
        } catch (InvalidException | dev.holdfast.claim.RefusedException e) {
            throw invalidParams(message, String.valueOf(e.getMessage()));
        } catch (BusyException e) {
            throw new RpcException(
                    200, RpcException.INTERNAL, message.id(), e.getMessage() + "; ask again in a second");
        } catch (RuntimeException e) {
            throw broken(message, e);
        }
        Replies.send(request, 200, Answer.of(Message.told(message, result)));
    }

    private RpcException broken(Message.Request message, RuntimeException e) {
        Answer broken = Troubles.broken(message.method() + " at " + path(), e);
        return new RpcException(
                200,
                RpcException.INTERNAL,
                message.id(),
                String.valueOf(broken.body().get("error")));
    }

    private void answer(Message.Request message, Context request) {
        Call call = new Call(message.params().path("arguments"), origins.of(request));
        check(message);
        try {
            McpSchema.JSONRPCResponse response = Objects.requireNonNull(Objects.requireNonNull(handler)
                    .handleRequest(
                            McpTransportContext.create(Map.of(Call.KEY, call)),
                            new McpSchema.JSONRPCRequest(
                                    "2.0",
                                    message.method(),
                                    message.id(),
                                    MAPPER.convertValue(message.params(), Map.class)))
                    .block());
            if (response.error() != null && response.error().code() == RpcException.INTERNAL) {
                // tools never fail, so it is the parameters that could not be read; the SDK's text names Java classes
                LOG.debug(
                        "{} at {}: {}",
                        message.method(),
                        path(),
                        response.error().message());
                throw invalidParams(message, "the params are not those of " + message.method());
            }
            Replies.send(request, 200, call.answer().told(Message.told(response)));
        } catch (RpcException e) {
            call.answer().undelivered().run();
            throw e;
        } catch (RuntimeException e) {
            call.answer().undelivered().run();
            throw broken(message, e);
        }
    }

    /** What the SDK would not name, or take for a failure of its own. */
    private void check(Message.Request message) {
        switch (message.method()) {
            case "initialize" -> {
                if (!message.params().path("protocolVersion").isString()) {
                    throw invalidParams(message, "initialize needs params.protocolVersion, such as 2025-11-25");
                }
            }
            case "tools/call" -> {
                String name = message.params().path("name").asString("");
                if (!verbs.containsKey(name)) {
                    throw invalidParams(
                            message,
                            "there is no tool '" + RpcException.shortened(name) + "' at " + path() + "; there are "
                                    + verbs.keySet().stream().sorted().collect(Collectors.joining(", ")));
                }
                var arguments = message.params().path("arguments");
                if (!arguments.isObject() && !arguments.isMissingNode() && !arguments.isNull()) {
                    throw invalidParams(message, "params.arguments must be a JSON object");
                }
            }
            default -> {}
        }
    }

    private static RpcException invalidParams(Message message, String text) {
        return new RpcException(200, RpcException.INVALID_PARAMS, message.idToAnswer(), text);
    }

    /** There is no stream to GET and no session to DELETE. */
    static void refuseOtherMethods(Context request) {
        request.header("Allow", "POST");
        RpcException refusal = new RpcException(
                405, RpcException.INVALID_REQUEST, null, request.method() + " is not for this address; use POST");
        Replies.send(request, refusal.status(), Answer.of(refusal.told()));
    }
}
