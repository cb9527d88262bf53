package dev.holdfast.broker.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All that there is to a verb is two records and a method: docs/architecture.md shows this one. */
class VerbTest {
    @Definition(
            name = "greet",
            effect = VerbEffect.READ,
            toolsets = Toolset.WORK,
            description = "Say hello. Example: {\"name\": \"Ann\"}")
    record Greet(
            @Field(value = "whom to greet", longest = 10) String name,
            @Field("in capitals") boolean loud,

            @Field(value = "who greets", longest = 10, actor = true) @Nullable
            String greeterId,

            @Field(value = "how often", min = 1, max = 3) @Nullable
            Integer times,

            @Field("how long it may take") Duration waitSeconds,
            @Field(value = "in which manner", longest = 10) Set<String> manners,
            @Field("not before") @Nullable Instant after,
            @Field("the mood") @Nullable Mood mood,
            @Inline Place place) {}

    enum Mood {
        GLAD,
        SAD
    }

    record Place(
            @Field(value = "where", longest = 10) @Nullable String town) {}

    record Greeting(
            @Field("what to say") String text,
            @Field("it was loud") @Nullable Boolean loud,

            @Field(value = "where it was", orNull = true) @Nullable
            String town,

            @Field("each of them") List<Part> parts,
            @Inline @Nullable Part whole) {
        record Part(Mood mood, Instant at) {}
    }

    private final List<Runnable> undelivered = new ArrayList<>();
    private final Verb greet = Verb.of(Shapes.withoutBounds(), Greet.class, Greeting.class, this::greet);

    private Greeting greet(Greet given, Call call) {
        if (given.name().equals("nobody")) {
            throw RefusedException.of(new Refusal.NotFound(Resource.parse("key:nobody")));
        }
        call.whenUndelivered(() -> undelivered.add(() -> {}));
        String text = "hello " + given.name();
        Mood mood = given.mood() == null ? Mood.GLAD : given.mood();
        return new Greeting(
                given.loud() ? text.toUpperCase(Locale.ROOT) : text,
                Present.ifTrue(given.loud()),
                given.place().town(),
                List.of(new Greeting.Part(mood, Instant.EPOCH)),
                given.after() == null ? null : new Greeting.Part(mood, given.after()));
    }

    @Test
    void arguments_become_a_record_and_a_record_becomes_the_answer() {
        assertThat(call("{\"name\":\"Ann\",\"loud\":true,\"mood\":\"sad\",\"town\":\"Ulm\","
                        + "\"after\":\"2026-11-16T05:00:00+01:00\"}"))
                .isEqualTo("{\"text\":\"HELLO ANN\",\"loud\":true,\"town\":\"Ulm\","
                        + "\"parts\":[{\"mood\":\"sad\",\"at\":\"1970-01-01T00:00:00.000Z\"}],"
                        + "\"mood\":\"sad\",\"at\":\"2026-11-16T04:00:00.000Z\"}");
    }

    @Test
    void what_there_is_nothing_to_tell_of_is_left_out_or_null() {
        assertThat(call("{\"name\":\"Ann\"}"))
                .isEqualTo("{\"text\":\"hello Ann\",\"town\":null,"
                        + "\"parts\":[{\"mood\":\"glad\",\"at\":\"1970-01-01T00:00:00.000Z\"}]}");
    }

    @Test
    void a_field_that_is_null_counts_as_left_out() {
        assertThat(call("{\"name\":\"a\",\"loud\":null}")).contains("hello a");
        assertThatExceptionOfType(InvalidException.class)
                .isThrownBy(() -> call("{\"name\":null}"))
                .withMessage("missing field name: whom to greet");
    }

    @Test
    void everything_that_is_wrong_is_named_at_once() {
        assertThatExceptionOfType(InvalidException.class)
                .isThrownBy(() -> call("{\"nome\":1,\"times\":4,\"manners\":\"x\",\"mood\":\"mad\",\"town\":7}"))
                .withMessage("unknown field nome; did you mean name?; missing field name: whom to greet;"
                        + " times must be from 1 to 3, not 4; manners must be a list of texts, not text;"
                        + " mood must be one of glad, sad, not 'mad'; town must be text, not 7");
        assertThatExceptionOfType(InvalidException.class)
                .isThrownBy(() -> call("{\"name\":\"Ann\",\"after\":\"soon\"}"))
                .withMessage("after must be a time such as 2026-12-24T18:00:00Z, not 'soon'");
    }

    @Test
    void a_time_that_no_store_can_keep_is_named() {
        for (String time : List.of("+10000-01-01T00:00:00Z", "+999999999-12-31T23:59:59Z", "-0001-01-01T00:00:00Z")) {
            assertThatExceptionOfType(InvalidException.class)
                    .isThrownBy(() -> call("{\"name\":\"Ann\",\"after\":\"" + time + "\"}"))
                    .withMessage("after must be a time such as 2026-12-24T18:00:00Z, not '" + time + "'");
        }
    }

    @Test
    void the_schema_tells_what_is_checked() {
        JsonNode schema = JsonMapper.shared().valueToTree(JsonSchema.of(greet.arguments()));

        assertThat(schema.at("/properties/name/maxLength").asInt()).isEqualTo(10);
        assertThat(schema.at("/properties/times/maximum").asInt()).isEqualTo(3);
        assertThat(schema.at("/properties/mood/enum").values())
                .extracting(JsonNode::asString)
                .containsExactly("glad", "sad");
        assertThat(schema.path("properties").propertyNames())
                .containsExactly(
                        "name", "loud", "greeter_id", "times", "wait_seconds", "manners", "after", "mood", "town");
        assertThat(schema.path("required").values())
                .extracting(JsonNode::asString)
                .containsExactly("name");
        assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
        assertThat(JsonMapper.shared()
                        .<JsonNode>valueToTree(JsonSchema.of(greet.result()))
                        .path("required")
                        .values())
                .extracting(JsonNode::asString)
                .containsExactly("text", "town", "parts");
    }

    @Test
    void a_verb_knows_who_its_caller_says_it_is_and_where_it_is_offered() {
        assertThat(greet.actors()).containsExactly("greeter_id");
        assertThat(Stream.of(Toolset.values()).filter(toolset -> toolset.offers(greet)))
                .containsExactly(Toolset.WORK, Toolset.ALL);
        assertThat(greet.title()).isEqualTo("Greet");
    }

    @Test
    void what_depends_on_the_answers_arrival_goes_with_it() {
        Answer answer = greet.call(json("{\"name\":\"Ann\"}"), Calls.ofNobody());

        assertThat(answer.mustArrive()).isTrue();
        answer.undelivered().run();
        assertThat(undelivered).hasSize(1);
    }

    @Test
    void a_refusal_can_be_looked_at_and_becomes_an_answer_in_one_place() {
        List<RefusalCode> seen = new ArrayList<>();
        Verb watched = greet.refusing(refused -> {
            seen.add(refused.code());
            return refused;
        });

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> watched.call(json("{\"name\":\"nobody\"}"), Calls.ofNobody()))
                .satisfies(refused -> assertThat(
                                Refusals.of(refused).orElseThrow().body())
                        .isEqualTo(Map.of(
                                "error", "key:nobody does not exist", "code", "not_found", "resource", "key:nobody")));
        assertThat(seen).containsExactly(RefusalCode.NOT_FOUND);
    }

    static Stream<Refusal> refusals() {
        Resource resource = Resource.parse("key:a");
        return Stream.of(
                new Refusal.Held(resource, "ann", Instant.EPOCH, Instant.EPOCH, Duration.ZERO, null),
                new Refusal.NotClaimable(resource, "closed"),
                new Refusal.NotFound(resource),
                new Refusal.Lost(resource, null, 2),
                new Refusal.FenceMissing(resource),
                new Refusal.Stale(resource, 1, 2),
                new Refusal.WrongHolder(resource, "ann", "bob"),
                new Refusal.NotHeld(resource),
                new Refusal.BadState(resource, "released"),
                new Refusal.ByItsRules("key:a", RefusalCode.FORBIDDEN, "no"),
                new Refusal.Busy("too many"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void every_refusal_of_the_engine_is_answered_with_its_code_status_and_details(Refusal refusal) {
        Answer answer = Refusals.of(RefusedException.of(refusal)).orElseThrow();

        assertThat(answer.refusal()).isEqualTo(refusal.code());
        assertThat(answer.status()).isEqualTo(refusal.code().status()).isBetween(400, 503);
        assertThat(answer.body())
                .containsEntry("error", refusal.message())
                .containsEntry("code", refusal.code().toString());
        assertThat(Refusals.properties())
                .extracting(Property::name)
                .containsAll(answer.body().keySet());
    }

    @Test
    void no_refusal_of_the_engine_is_forgotten_here() {
        assertThat(refusals().<Class<?>>map(Refusal::getClass).toList())
                .containsExactlyInAnyOrder(Refusal.class.getPermittedSubclasses());
    }

    private String call(String arguments) {
        return JsonMapper.shared()
                .writeValueAsString(
                        greet.call(json(arguments), Calls.ofNobody()).body());
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
