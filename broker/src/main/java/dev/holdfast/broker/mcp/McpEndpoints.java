package dev.holdfast.broker.mcp;

import dev.holdfast.broker.api.ApiServer;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.RequestBody;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.review.Reviews;
import io.javalin.config.RoutesConfig;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Offers the verbs to MCP clients: one endpoint per {@link Toolset}. */
public final class McpEndpoints implements ApiServer.Endpoints {
    private final List<McpAddress> addresses;

    /** @param bodyBytes the maximum size of a message */
    public McpEndpoints(
            List<Verb> verbs, Callers callers, Origins origins, Reviews reviews, int bodyBytes, Meters meters) {
        RequestBody body = new RequestBody(bodyBytes);
        Map<String, Method> ofReviews = ofReviews(reviews, callers);
        Set<String> longAnswers =
                verbs.stream().filter(Verb::mayAnswerMuch).map(Verb::name).collect(Collectors.toSet());
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
                            request -> request.method().startsWith("resources/")
                                    || request.method().equals("prompts/get")
                                    || (request.method().equals("tools/call")
                                            && longAnswers.contains(request.params()
                                                    .path("name")
                                                    .asString(""))),
                            origins,
                            body,
                            meters,
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
        addresses.forEach(address -> address.register(routes));
    }
}
