package dev.holdfast.broker.mcp;

import dev.holdfast.broker.api.EarlyAnswerException;
import dev.holdfast.broker.api.ErrorResponses;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.Replies;
import dev.holdfast.broker.api.RequestBody;
import dev.holdfast.broker.auth.MemoryShares;
import dev.holdfast.broker.mcp.Method.Result;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Endpoint;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.claim.RefusalCode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One MCP endpoint: streamable HTTP without sessions or streams, so that any broker can answer any call and a restart
 * goes unnoticed. It serves every {@link ProtocolGeneration} without a library: the Java ones stop at 2025-11-25, keep sessions, or
 * hide the connection, which must report whether an answer arrived.
 */
final class McpAddress {
    private static final List<HandlerType> OTHER_METHODS = List.of(
            HandlerType.GET,
            HandlerType.HEAD,
            HandlerType.DELETE,
            HandlerType.PUT,
            HandlerType.PATCH,
            HandlerType.OPTIONS);

    private final Toolset toolset;
    private final Origins origins;
    private final RequestBody body;
    private final Meters meters;
    private final Predicate<RpcMessage.Request> mayAnswerMuch;
    private final Map<String, Method> legacy;
    private final Map<String, Method> modern;

    /**
     * @param methods the methods that both eras have, by name
     * @param mayAnswerMuch whether the answer to this request may be long, and does not wait for anything
     * @param known the caller, as far as its session is known
     */
    McpAddress(
            Toolset toolset,
            Map<String, Method> methods,
            Predicate<RpcMessage.Request> mayAnswerMuch,
            Origins origins,
            RequestBody body,
            Meters meters,
            Function<Origin, KnownClient> known) {
        this.toolset = toolset;
        this.mayAnswerMuch = mayAnswerMuch;
        this.origins = origins;
        this.body = body;
        this.meters = meters;
        Map<String, Object> capabilities = capabilities(methods);
        String instructions = Instructions.of(toolset);
        legacy = with(methods, LegacyProtocol.methods(capabilities, instructions, known));
        modern = with(methods, ModernProtocol.methods(capabilities, instructions, known));
    }

    private static Map<String, Method> with(Map<String, Method> methods, Map<String, Method> more) {
        Map<String, Method> all = new HashMap<>(methods);
        all.putAll(more);
        return Map.copyOf(all);
    }

    /** List changes are not announced: there is no stream to send them on. */
    private static Map<String, Object> capabilities(Map<String, Method> methods) {
        Map<String, Object> capabilities = new LinkedHashMap<>();
        if (methods.containsKey("completion/complete")) {
            capabilities.put("completions", Map.of());
        }
        if (methods.containsKey("prompts/list")) {
            capabilities.put("prompts", Map.of("listChanged", false));
        }
        if (methods.containsKey("resources/list")) {
            Map<String, Object> resources = new LinkedHashMap<>();
            resources.put("subscribe", false);
            resources.put("listChanged", false);
            capabilities.put("resources", resources);
        }
        capabilities.put("tools", Map.of("listChanged", false));
        return capabilities;
    }

    void register(RoutesConfig routes) {
        for (String path : toolset.paths()) {
            routes.post(path, this::answer);
            OTHER_METHODS.forEach(method -> routes.addHttpHandler(method, path, McpAddress::refuseOtherMethods));
        }
    }

    /** Answers one POST. */
    private void answer(Context request) throws IOException {
        long start = System.nanoTime();
        try {
            RpcMessage message = message(request);
            if (!AcceptHeader.json(request.req().getHeaders("Accept"))) {
                throw new RpcException(
                        406,
                        RpcException.INVALID_REQUEST,
                        message.idToAnswer(),
                        "answers are application/json; the Accept header must allow it");
            }
            ProtocolGeneration era = ProtocolGeneration.of(message, request.header(ProtocolGeneration.VERSION_HEADER));
            era.check(message, name -> Collections.list(request.req().getHeaders(name)));
            switch (message) {
                case RpcMessage.Request call -> answer(call, era, request);
                // nothing is kept between calls, so notifications and responses have no effect
                case RpcMessage.Notification _, RpcMessage.Response _ -> request.status(202);
            }
        } catch (RpcException e) {
            Replies.send(request, e.status(), Answer.of(e.body()));
        } finally {
            meters.answered(Endpoint.MCP, System.nanoTime() - start);
        }
    }

    private RpcMessage message(Context request) throws IOException {
        try {
            return RpcMessage.of(body.read(request.req()));
        } catch (EarlyAnswerException e) {
            int code = e.status() == 400 ? RpcException.PARSE_ERROR : RpcException.INVALID_REQUEST;
            throw new RpcException(e.status(), code, null, String.valueOf(e.getMessage()));
        }
    }

    private void answer(RpcMessage.Request message, ProtocolGeneration era, Context request) {
        Result result = result(message, era, request);
        Map<String, @Nullable Object> response;
        try {
            response = RpcMessage.response(message, era.result(message.method(), result.value()));
        } catch (RuntimeException e) {
            result.answer().undelivered().run();
            throw broken(message, e);
        }
        Replies.send(request, 200, result.answer().withBody(response));
    }

    private Result result(RpcMessage.Request message, ProtocolGeneration era, Context request) {
        Map<String, Method> methods = switch (era) {
            case LegacyProtocol _ -> legacy;
            case ModernProtocol _ -> modern;
        };
        Method method = methods.get(message.method());
        if (method == null) {
            throw new RpcException(
                    era.unknownMethodStatus(),
                    RpcException.METHOD_NOT_FOUND,
                    message.id(),
                    "Method not found: " + RpcException.shortened(message.method()));
        }
        try {
            if (mayAnswerMuch.test(message)) {
                MemoryShares.of(request.req()).takeAnswer();
            }
            return method.answer(message.params(), origins.of(request));
        } catch (RpcException e) {
            throw e.to(message);
        } catch (ResourceNotFoundException e) {
            throw new RpcException(
                    200, era.noResourceCode(), message.id(), String.valueOf(e.getMessage()), Map.of("uri", e.uri()));
        } catch (RuntimeException e) {
            throw Refusals.of(e).map(refused -> refused(message, refused)).orElseGet(() -> broken(message, e));
        }
    }

    private static RpcException refused(RpcMessage.Request message, Answer refused) {
        String text = String.valueOf(refused.body().get("error"));
        return refused.refusal() == RefusalCode.BUSY
                ? new RpcException(200, RpcException.INTERNAL, message.id(), text + "; ask again in a second")
                : RpcException.invalidParams(text).to(message);
    }

    private RpcException broken(RpcMessage.Request message, RuntimeException e) {
        Answer broken = ErrorResponses.broken(message.method() + " at " + toolset.path(), e);
        return new RpcException(
                200,
                RpcException.INTERNAL,
                message.id(),
                String.valueOf(broken.body().get("error")));
    }

    /** There is no stream to GET and no session to DELETE. */
    private static void refuseOtherMethods(Context request) {
        request.header("Allow", "POST");
        RpcException refusal = new RpcException(
                405,
                RpcException.INVALID_REQUEST,
                null,
                request.method() + " is not supported at this address; use POST");
        Replies.send(request, refusal.status(), Answer.of(refusal.body()));
    }
}
