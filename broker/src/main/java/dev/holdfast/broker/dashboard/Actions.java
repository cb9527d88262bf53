package dev.holdfast.broker.dashboard;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.Replies;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.config.JsonProblem;
import dev.holdfast.broker.dashboard.page.Access;
import dev.holdfast.broker.dashboard.page.Person;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusalCode;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a person does: a form, whose fields are the arguments of a verb. It is called as everybody calls it, with the same
 * fences and the same refusals, in the name that the person has given.
 */
final class Actions {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final Map<String, Verb> verbs;
    private final Callers callers;
    private final Origins origins;
    private final People people;
    private final Secret secret;

    Actions(List<Verb> verbs, Callers callers, Origins origins, People people, Secret secret) {
        this.verbs = verbs.stream()
                .filter(verb -> !verb.nature().readOnly())
                .collect(Collectors.toMap(Verb::name, Function.identity()));
        this.callers = callers;
        this.origins = origins;
        this.people = people;
        this.secret = secret;
    }

    /** {@code POST /ui/do/<verb>} */
    void act(Context request) {
        Answer answer = answer(request);
        Replies.send(request, answer.status(), answer);
    }

    /** Something of a page's own that no verb does, such as keeping a draft. */
    interface Own {
        /** @param by whose process it is; looked up when it is asked for */
        Answer act(Context request, Person person, Supplier<Caller> by);
    }

    /** The same checks for what is no verb. */
    Handler own(Own own) {
        return request -> {
            Person person = people.of(request);
            Answer answer;
            if (!secret.shownBy(request)) {
                answer = stranger();
            } else if (Access.of(request).viewer()) {
                answer = viewer();
            } else if (person == null) {
                answer = nobody();
            } else {
                answer = own(own, request, person);
            }
            Replies.send(request, answer.status(), answer);
        };
    }

    private Answer own(Own own, Context request, Person person) {
        try {
            return own.act(request, person, () -> people.caller(request));
        } catch (RuntimeException e) {
            return Refusals.of(e).orElseThrow(() -> e);
        }
    }

    /** {@code POST /ui/person}: says who acts from this browser. */
    void name(Context request) {
        if (!secret.shownBy(request)) {
            Replies.send(request, RefusalCode.FORBIDDEN.status(), stranger());
            return;
        }
        String given = request.formParam("name");
        try {
            Person person = new Person(given == null ? "" : given);
            person.keep(request);
            Replies.send(request, 200, Answer.of(Map.of("name", person.name())));
        } catch (InvalidException e) {
            Answer refused = Answer.refused(RefusalCode.INVALID, String.valueOf(e.getMessage()));
            Replies.send(request, refused.status(), refused);
        }
    }

    private Answer answer(Context request) {
        if (!secret.shownBy(request)) {
            return stranger();
        }
        if (Access.of(request).viewer()) {
            return viewer();
        }
        Person person = Person.of(request);
        if (person == null) {
            return nobody();
        }
        return call(request.pathParam("verb"), request, person, request::formParams);
    }

    /** Calls a verb as a person, with the fields of a form. */
    Answer call(String name, Context request, Person person, Function<String, List<String>> fields) {
        Verb verb = verbs.get(name);
        if (verb == null) {
            return Answer.refused(RefusalCode.NOT_FOUND, "there is no such action");
        }
        try {
            return callers.call(verb, arguments(verb, fields, person), from(request, person));
        } catch (InvalidException e) {
            return Answer.refused(RefusalCode.INVALID, String.valueOf(e.getMessage()));
        }
    }

    /** A person at a browser; an agent that drives one is still known by its process. */
    private Origin from(Context request, Person person) {
        Origin origin = origins.of(request);
        return new Origin(
                origin.authorization(), person.name(), person.name(), null, null, origin.local(), origin::processes);
    }

    private static ObjectNode arguments(Verb verb, Function<String, List<String>> fields, Person person) {
        ObjectNode arguments = MAPPER.createObjectNode();
        for (Property field : verb.arguments()) {
            if (field.actor()) {
                arguments.put(field.name(), person.name());
            } else {
                put(arguments, field, fields.apply(field.name()));
            }
        }
        return arguments;
    }

    /** What is left empty is left out. */
    private static void put(ObjectNode arguments, Property field, List<String> given) {
        List<String> said = given.stream().filter(one -> !one.isEmpty()).toList();
        if (said.isEmpty()) {
            return;
        }
        String name = field.name();
        String first = said.getFirst();
        switch (field.type()) {
            case TEXT, TIME -> arguments.put(name, first);
            case INTEGER -> arguments.put(name, whole(name, first));
            case NUMBER -> arguments.put(name, number(name, first));
            case BOOLEAN -> arguments.put(name, first.equals("true") || first.equals("on"));
            case TEXTS -> {
                ArrayNode texts = arguments.putArray(name);
                said.forEach(texts::add);
            }
            case OBJECT, ANYTHING, VALUE, OBJECTS -> {
                try {
                    arguments.set(name, MAPPER.readTree(first));
                } catch (JacksonException e) {
                    throw new InvalidException(name + " is not JSON: " + JsonProblem.of(e));
                }
            }
        }
    }

    private static long whole(String name, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException _) {
            throw new InvalidException(name + " must be a whole number, not '" + text + "'");
        }
    }

    private static double number(String name, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException _) {
            throw new InvalidException(name + " must be a number, not '" + text + "'");
        }
    }

    private static Answer nobody() {
        return Answer.refused(RefusalCode.UNAUTHORIZED, "say who you are first, at the top right of the page");
    }

    private static Answer viewer() {
        return Answer.refused(RefusalCode.FORBIDDEN, "your token is read-only");
    }

    private static Answer stranger() {
        return Answer.refused(
                RefusalCode.FORBIDDEN,
                "this did not come from one of this broker's pages; reload the page and try again");
    }
}
