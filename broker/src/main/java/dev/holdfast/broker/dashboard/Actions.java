package dev.holdfast.broker.dashboard;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.Replies;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.config.JsonProblem;
import dev.holdfast.broker.dashboard.page.Access;
import dev.holdfast.broker.dashboard.page.Person;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.token.SubmittedForms;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A person's actions. Each is a form whose fields are the arguments of a verb. The verb is called as any caller calls
 * it, with the same fences and the same refusals, in the name that the person has given.
 */
final class Actions {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    /**
     * The verbs that some page offers. Browsers get no others: somebody who gets hold of a session must not be able to
     * create tokens with it.
     */
    static final Set<String> OFFERED = Set.of(
            "accept_counter_patch",
            "add_message",
            "cancel_task",
            "claim_next_review",
            "claim_review",
            "claim_work",
            "close_review",
            "close_work",
            "create_work",
            "kill_reviewer",
            "reject_counter_patch",
            "release_review",
            "retry_task",
            "spawn_reviewer",
            "submit_verdict",
            "take_back",
            "update_work",
            "withdraw_review");

    /** Verbs that would act twice if their form were sent twice; claims have request ids of their own. */
    private static final Set<String> ONCE = Set.of("create_work", "add_message", "spawn_reviewer");

    /** The header with the name that the page shows as the person's, if it shows one. */
    private static final String PERSON = "Holdfast-Person";

    /** The field with the form's key. */
    private static final String KEY = "form_key";

    private static final String REQUEST = "request_id";
    private static final int LONGEST_KEY = 100;

    private final Map<String, Verb> verbs;
    private final Callers callers;
    private final Origins origins;
    private final People people;
    private final Secret secret;
    private final SubmittedForms forms;

    Actions(List<Verb> verbs, Callers callers, Origins origins, People people, Secret secret, SubmittedForms forms) {
        this.verbs = verbs.stream()
                .filter(verb -> OFFERED.contains(verb.name()))
                .collect(Collectors.toMap(Verb::name, Function.identity()));
        this.callers = callers;
        this.origins = origins;
        this.people = people;
        this.secret = secret;
        this.forms = forms;
    }

    /** {@code POST /ui/do/<verb>} */
    void act(Context request) {
        Answer answer = checked(request, person -> answer(request, person));
        Replies.send(request, answer.status(), answer);
    }

    /** An action of a page that is not a verb, such as saving a draft. */
    interface Own {
        /** @param by the process behind the request; looked up only when asked for */
        Answer act(Context request, Person person, Supplier<Caller> by);
    }

    /** Runs an action that is not a verb, after the same checks. */
    Handler own(Own own) {
        return request -> {
            Answer answer = checked(request, person -> own(own, request, person));
            Replies.send(request, answer.status(), answer);
        };
    }

    /** Acts for the person at the browser, or says why not. */
    private Answer checked(Context request, Function<Person, Answer> action) {
        if (!secret.shownBy(request)) {
            return stranger();
        }
        if (Access.of(request).viewer()) {
            return viewer();
        }
        Person person = Person.of(request);
        if (person == null) {
            return asking("name", "enter your name first, at the top right of the page");
        }
        try {
            people.check(person, request);
        } catch (RefusedException e) {
            return asking("another name", e.getMessage() + "; enter another name");
        }
        String shown = request.header(PERSON);
        if (shown != null && !shown.equals(Address.encoded(person.name()))) {
            return Answer.refused(
                    RefusalCode.BAD_STATE,
                    "this browser has changed who it acts as, and is now " + person.name()
                            + "; reload the page, then try again");
        }
        return action.apply(person);
    }

    private Answer own(Own own, Context request, Person person) {
        try {
            return own.act(request, person, () -> people.caller(request));
        } catch (RuntimeException e) {
            return Refusals.of(e).orElseThrow(() -> e);
        }
    }

    /** {@code POST /ui/person}: sets who acts from this browser. */
    void name(Context request) {
        if (!secret.shownBy(request)) {
            Replies.send(request, RefusalCode.FORBIDDEN.status(), stranger());
            return;
        }
        String given = request.formParam("name");
        try {
            Person person = new Person(given == null ? "" : given);
            people.check(person, request);
            person.keep(request);
            Replies.send(request, 200, Answer.of(Map.of("name", person.name())));
        } catch (InvalidException | RefusedException e) {
            Answer refused = Answer.refused(RefusalCode.INVALID, String.valueOf(e.getMessage()));
            Replies.send(request, refused.status(), refused);
        }
    }

    private Answer answer(Context request, Person person) {
        String verb = request.pathParam("verb");
        String key = request.formParam(KEY);
        if (key == null || key.isBlank() || key.length() > LONGEST_KEY || !ONCE.contains(verb)) {
            return call(verb, request, person, request::formParams);
        }
        String form =
                verb + "\n" + request.body(); // all of it: a form changed before it is sent again is another request
        return switch (forms.begin(person.name(), form)) {
            case NEW -> once(verb, form, request, person);
            case BEGUN ->
                Answer.refused(
                        RefusalCode.BAD_STATE,
                        "this form was sent before, and its outcome is unknown; check before you send it again");
            case DONE -> Answer.of(Map.of("replayed", true));
        };
    }

    private Answer once(String verb, String form, Context request, Person person) {
        Answer answer = call(verb, request, person, request::formParams);
        forms.end(person.name(), form, answer.refusal() == null);
        return answer;
    }

    /** Calls a verb for a person, with the fields of a form. */
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

    /** Acts as the person; an agent that drives the browser is still recognized by its process. */
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
                put(arguments, field, fields.apply(field.name().equals(REQUEST) ? KEY : field.name()));
            }
        }
        return arguments;
    }

    /** Leaves out empty fields. */
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

    /** A refusal for which the page asks the person for something. Without that, they are signed out. */
    private static Answer asking(String needs, String why) {
        Answer refused = Answer.refused(RefusalCode.UNAUTHORIZED, why);
        Map<String, @Nullable Object> body = new LinkedHashMap<>(refused.body());
        body.put("needs", needs);
        return refused.withBody(body);
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
