package dev.holdfast.broker.verb;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusedException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An operation, defined once and offered over every interface: an arguments record, a result record, and a method.
 * Schemas, parsing, validation and serialization follow from the records.
 *
 * <pre>{@code
 * @Definition(name = "greet", effect = READ, description = "Say hello. Example: {\"name\": \"Ann\"}")
 * record Greet(@Field(value = "whom", longest = 100) String name, @Field("in capitals") boolean loud) {}
 *
 * record Greeting(@Field("what to say") String text) {}
 *
 * Verb greet = Verb.of(shapes, Greet.class, Greeting.class, given -> new Greeting("hello " + given.name()));
 * }</pre>
 */
public final class Verb {
    /** Carries out a verb with validated arguments; throws {@link RefusedException} to refuse. */
    public interface Handler<A, R> {
        R answer(A given, Call call);
    }

    /** The same for a verb that does not depend on who calls or whether the answer arrives. */
    public interface PlainHandler<A, R> {
        R answer(A given);
    }

    /** Its records and its method, with matching types. */
    private record Body<A extends Record, R extends Record>(
            Shapes shapes, Class<A> given, Class<R> answered, Handler<A, R> handler) {
        Shape<A> arguments() {
            return shapes.arguments(given);
        }

        Shape<R> result() {
            return shapes.result(answered);
        }
    }

    /** They read, but may wait first. */
    private static final Set<String> WAITING =
            Set.of("list_reviews", "get_review_status", "get_events", "get_reviewer_log");

    private final Definition definition;
    private final Set<Toolset> toolsets;
    private final Body<?, ?> body;

    private Verb(Definition definition, Body<?, ?> body) {
        this.definition = definition;
        this.body = body;
        toolsets = toolsets(definition);
    }

    public static <A extends Record, R extends Record> Verb of(
            Shapes shapes, Class<A> arguments, Class<R> result, Handler<A, R> handler) {
        return new Verb(arguments.getAnnotation(Definition.class), new Body<>(shapes, arguments, result, handler));
    }

    public static <A extends Record, R extends Record> Verb of(
            Shapes shapes, Class<A> arguments, Class<R> result, PlainHandler<A, R> handler) {
        return of(shapes, arguments, result, (given, _) -> handler.answer(given));
    }

    private static Set<Toolset> toolsets(Definition definition) {
        Set<Toolset> toolsets = EnumSet.noneOf(Toolset.class);
        if (!definition.forPeople()) {
            toolsets.add(Toolset.ALL);
            toolsets.addAll(Arrays.asList(definition.toolsets()));
        }
        return toolsets;
    }

    /** The same verb, with its refusals observed or replaced by this function. */
    public Verb refusing(UnaryOperator<RefusedException> refusal) {
        return new Verb(definition, refusing(body, refusal));
    }

    private static <A extends Record, R extends Record> Body<A, R> refusing(
            Body<A, R> body, UnaryOperator<RefusedException> refusal) {
        return new Body<>(body.shapes, body.given, body.answered, (checked, call) -> {
            try {
                return body.handler.answer(checked, call);
            } catch (RefusedException refused) {
                throw refusal.apply(refused);
            }
        });
    }

    public String name() {
        return definition.name();
    }

    /** Its name in readable form. */
    public String title() {
        return Character.toUpperCase(name().charAt(0)) + name().substring(1).replace('_', ' ');
    }

    /** What it does and when to use it. */
    public String description() {
        return definition.description();
    }

    public VerbEffect effect() {
        return definition.effect();
    }

    /** Whether it answers at once, and its answer may be long. */
    public boolean mayAnswerMuch() {
        return (effect().readOnly() && !WAITING.contains(name())) || name().equals("get_proposal");
    }

    /** Whether it ends claims of others. */
    public boolean overrules() {
        return definition.overrules();
    }

    public List<Property> arguments() {
        return body.arguments().properties();
    }

    public List<Property> result() {
        return body.result().properties();
    }

    /** The arguments that name the caller. */
    public List<String> actors() {
        return body.arguments().actors();
    }

    /** Whether MCP offers it in this toolset. */
    boolean isIn(Toolset toolset) {
        return toolsets.contains(toolset);
    }

    /**
     * Validates the arguments and carries it out.
     *
     * @throws InvalidException when the arguments do not fit the verb
     * @throws RefusedException when it is refused
     */
    public Answer call(JsonNode given, Call call) {
        return call.answer(Answer.of(answer(body, given, call)));
    }

    private static <A extends Record, R extends Record> Map<String, @Nullable Object> answer(
            Body<A, R> body, JsonNode given, Call call) {
        Shape<A> arguments = body.arguments();
        return body.result().write(body.handler.answer(arguments.read(given), call));
    }
}
