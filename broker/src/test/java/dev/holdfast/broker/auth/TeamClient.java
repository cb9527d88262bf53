package dev.holdfast.broker.auth;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.VerbArguments;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.token.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Calls a {@link TeamBroker} with one token or another. */
abstract class TeamClient {
    static final JsonMapper MAPPER = JsonMapper.shared();
    static final String DIFF = Given.DIFF;

    final TeamBroker team;
    final Broker broker;
    final BrokerClient user;

    TeamClient(TeamBroker team) {
        this.team = team;
        broker = team.broker;
        user = team.user;
    }

    String token(Role role) {
        return Objects.requireNonNull(team.tokens.get(role));
    }

    String create(String name, Role role, Object... more) {
        return team.create(name, role, more);
    }

    Reply call(@Nullable String token, String verb, Object... arguments) {
        return send(token, verb, Given.map(arguments));
    }

    Reply send(@Nullable String token, String verb, Map<String, Object> body) {
        return user.send(post(token, "/api/v1/" + verb, body)).join();
    }

    /** What is answered there to somebody with this token. */
    String answer(String token, String path, Map<String, Object> body, String... headers) {
        HttpRequest.Builder request = post(token, path, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return user.send(request).join().raw().body();
    }

    HttpRequest.Builder post(@Nullable String token, String path, Map<String, Object> body) {
        return request(token, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(body)));
    }

    Reply get(@Nullable String token, String path) {
        return user.send(request(token, path).GET()).join();
    }

    private HttpRequest.Builder request(@Nullable String token, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(broker.url() + path));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    /** What a browser keeps that has handed in this token. */
    String signedIn(String token) {
        return user.send(request(null, "/sign-in")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(HttpRequest.BodyPublishers.ofString("token=" + token)))
                .join()
                .raw()
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .replaceAll(";.*", "");
    }

    /** An answer that does not end by itself. */
    HttpResponse<InputStream> stream(String path, String header, String value)
            throws IOException, InterruptedException {
        return user.http()
                .send(request(null, path).header(header, value).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /** A task with the step {@code one}. */
    Reply createTask(@Nullable String token, Object... more) {
        return call(token, "create_task", Given.with(more, "name", "x", "steps", List.of(Map.of("key", "one"))));
    }

    /** Claims that step and completes it. */
    Reply completeStep(String token, String task, String holder, Map<String, Object> result) {
        String step = task + ".one";
        long generation =
                call(token, "claim_step", "step_id", step, "holder", holder).generation();
        return call(
                token,
                "complete_step",
                "step_id",
                step,
                "holder",
                holder,
                "claim_generation",
                generation,
                "result",
                result);
    }

    String createWork(@Nullable String token, Object... more) {
        return call(token, "create_work", Given.with(more, "title", "something"))
                .body()
                .at("/item/id")
                .asString();
    }

    String createReview(@Nullable String token, String project, String diff) {
        return call(token, "create_review", "intent", "something", "project", project, "diff", diff)
                .text("review_id");
    }

    /** What a verb must be given to look at the call, and the project shop. */
    Map<String, Object> arguments(Verb verb, String actor) {
        Map<String, Object> arguments = new VerbArguments(team.things, actor).of(verb);
        for (Property field : verb.arguments()) {
            if (VerbArguments.PROJECTS.contains(field.name())) {
                arguments.put(field.name(), "shop");
            }
        }
        switch (verb.name()) {
            case "create_token" -> arguments.put("name", "new-" + UUID.randomUUID());
            case "start_session" -> {
                arguments.put("session_id", actor + "-session");
                arguments.put("parent", actor);
            }
            case "end_session" -> arguments.put("session_id", actor + "-session");
            default -> {}
        }
        return arguments;
    }

    /** A generic claim is also a question of kinds; these roles may have work items. */
    static boolean mayCall(Role role, Verb verb) {
        boolean ofWork = verb.name().equals("claim") || verb.name().equals("claim_next");
        boolean speaksAsReviewer = verb.name().equals("add_message");
        return Permissions.of(verb.name()).contains(role)
                && (!ofWork || role == Role.WORKER || role == Role.ADMIN)
                && (!speaksAsReviewer || role != Role.PROPOSER);
    }
}
