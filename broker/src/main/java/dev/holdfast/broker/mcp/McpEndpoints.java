package dev.holdfast.broker.mcp;

import dev.holdfast.broker.api.ApiServer;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.RequestBody;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Endpoint;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.review.Reviews;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Offers the verbs to MCP clients: one endpoint per {@link Toolset}. */
public final class McpEndpoints implements ApiServer.Endpoints {
    private static final List<HandlerType> OTHER_METHODS = List.of(
            HandlerType.GET,
            HandlerType.HEAD,
            HandlerType.DELETE,
            HandlerType.PUT,
            HandlerType.PATCH,
            HandlerType.OPTIONS);

    private final List<McpAddress> addresses;
    private final Meters meters;

    /** @param bodyBytes the maximum size of a message */
    public McpEndpoints(
            List<Verb> verbs, Callers callers, Origins origins, Reviews reviews, int bodyBytes, Meters meters) {
        RequestBody body = new RequestBody(bodyBytes);
        this.meters = meters;
        Map<String, Method> ofReviews = ofReviews(reviews, callers);
        addresses = Arrays.stream(Toolset.values())
                .map(toolset -> {
                    Map<String, Method> methods = new HashMap<>(new Tools(
                                    toolset,
                                    verbs.stream().filter(toolset::offers).toList(),
                                    callers)
                            .methods());
                    switch (toolset) {
                        case REVIEWS, ALL -> methods.putAll(ofReviews);
                        case CODER, WORK, TASKS -> {}
                    }
                    return new McpAddress(
                            toolset,
                            methods,
                            origins,
                            body,
                            origin -> new KnownClient(
                                    callers.session(origin).orElse(null),
                                    callers.repository(origin).orElse(null)));
                })
                .toList();
    }

    private static Map<String, Method> ofReviews(Reviews reviews, Callers callers) {
        SecureRandom random = new SecureRandom();
        Supplier<String> marks = () -> HexFormat.of().toHexDigits(random.nextLong());
        ReviewPages pages = new ReviewPages(reviews, marks);
        Map<String, Method> methods = new HashMap<>();
        methods.putAll(new ReviewResources(reviews, pages, callers).methods());
        methods.putAll(new ReviewPrompts(pages, marks).methods());
        methods.putAll(new ReviewCompletions(reviews).methods());
        methods.replaceAll((_, method) -> (params, origin) -> {
            callers.mayReadAll(origin.authorization());
            return method.answer(params, origin);
        });
        return methods;
    }

    @Override
    public void register(RoutesConfig routes) {
        for (McpAddress address : addresses) {
            for (String path : address.paths()) {
                routes.post(path, request -> timed(address, request));
                OTHER_METHODS.forEach(method -> routes.addHttpHandler(method, path, McpAddress::refuseOtherMethods));
            }
        }
    }

    private void timed(McpAddress address, Context request) throws IOException {
        long start = System.nanoTime();
        try {
            address.answer(request);
        } finally {
            meters.answered(Endpoint.MCP, System.nanoTime() - start);
        }
    }
}
