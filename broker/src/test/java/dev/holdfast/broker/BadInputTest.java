package dev.holdfast.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Whatever is wrong with a request is said with its code, and nothing is written. */
class BadInputTest extends OnOneBroker {
    private static final int LIMIT = 20_000;

    @Override
    protected Settings settings() {
        return new Settings().put(Setting.BODY_LIMIT, (long) LIMIT);
    }

    @AfterEach
    void nothing_was_written() {
        assertThat(caller.events()).isZero();
        assertThat(caller.call("who").text("message")).isEqualTo("nobody holds anything");
        assertThat(caller.call("list_agents", "all", true).body().path("agents"))
                .isEmpty();
    }

    /**
     * Whatever it is called, a caller that leaves it blank is told of the field that it gave. Only submit_verdict takes a
     * blank one for none, as the predecessor did.
     */
    @Test
    void every_verb_names_a_blank_reviewer_or_processor_by_its_own_field() {
        List<String> refused = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path :
                caller.get("/api/v1/openapi.json").body().path("paths").properties()) {
            JsonNode properties = path.getValue().at("/post/requestBody/content/application~1json/schema/properties");
            for (String field : List.of("reviewer_id", "processor_id")) {
                if (properties.has(field)
                        && !path.getKey().endsWith("/submit_verdict")
                        && properties.path(field).path("description").asString().startsWith("who you")) {
                    String verb = path.getKey().substring(path.getKey().lastIndexOf('/') + 1);
                    assertThat(caller.raw(verb, "{\"" + field + "\":\"  \"}").text("error"))
                            .as(verb)
                            .contains(field + " must not be blank")
                            .doesNotContain("holder");
                    refused.add(verb);
                }
            }
        }
        assertThat(refused).contains("claim_review", "claim_next_review", "release_review", "claim_finalization");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            claim         | {"resource":"key:a","holder":"me","ttl":5}              | unknown field ttl; known: resource, holder
            claim         | {"resorce":"key:a","holder":"me"}                       | unknown field resorce; did you mean resource?
            claim         | {"holder":"me"}                                         | missing field resource
            claim         | {"resource":"key:a"}                                    | missing field holder
            claim         | {"resource":"key:a","holder":null}                      | missing field holder
            claim         | {"resource":"key:a","holder":7}                         | holder must be text, not 7
            claim         | {"resource":"key:a","holder":"  "}                      | holder must not be blank
            claim         | {"resource":"key:a","holder":"unknown"}                 | 'unknown' is not a holder
            claim         | {"resource":"key:a","holder":"a\\u0000b"}               | holder contains a NUL character
            claim         | {"resource":"key:a","holder":"a\\ud800b"}               | half a character
            claim         | {"resource":"deploy","holder":"me"}                     | must be written kind:id, such as key:deploy
            claim         | {"resource":"key:","holder":"me"}                       | has no id
            claim         | {"resource":"kay:a","holder":"me"}                      | kind 'kay' is unknown; the kinds are review
            claim         | {"resource":["key:a"],"holder":"me"}                    | resource must be text, not a list
            claim         | {"resource":"key:a","holder":"me","ttl_seconds":0}      | ttl_seconds must be from 1 to 86400, not 0
            claim         | {"resource":"key:a","holder":"me","ttl_seconds":86401}  | ttl_seconds must be from 1 to 86400, not 86401
            claim         | {"resource":"key:a","holder":"me","ttl_seconds":1.5}    | ttl_seconds must be a whole number from 1 to 86400, not 1.5
            claim         | {"resource":"key:a","holder":"me","ttl_seconds":"60"}   | ttl_seconds must be a whole number from 1 to 86400, not text
            claim         | {"resource":"key:a","holder":"me","ttl_seconds":1e99}   | ttl_seconds must be a whole number
            claim         | {"resource":"key:a","holder":"me","wait_seconds":56}    | wait_seconds must be from 0 to 55, not 56
            claim         | {"resource":"key:a","holder":"me","wait_seconds":-1}    | wait_seconds must be from 0 to 55, not -1
            claim         | {"resource":"key:a","holder":"me","under":"key:b"}      | under must be a JSON object, not text
            claim         | {"resource":"key:a","holder":"me","under":{"resource":"key:b"}} | missing field under.claim_generation
            claim_next    | {"kind":"works","holder":"me"}                          | kind must be one of review, work, step, finalization, not 'works'
            claim_next    | {"kind":"key","holder":"me"}                            | kind must be one of
            claim_next    | {"kind":"work","holder":"me","labels":"x"}              | labels must be a list of texts, not text
            claim_next    | {"kind":"work","holder":"me","labels":[1]}              | labels[0] must be text, not 1
            claim_next    | {"kind":"work","holder":"me","queue":"\\u0000"}         | queue contains a NUL character
            heartbeat     | {"holder":"me","claim_generation":3}                    | claim_generation was given without resource
            release       | {"resource":"key:a","holder":"me","claim_generation":1,"keep_status":"yes"} | keep_status must be true or false, not text
            get_events    | {"after":-1}                                            | after must be of at least 0, not -1
            get_events    | {"limit":1001}                                          | limit must be from 1 to 1000, not 1001
            start_session | {"session_id":"s","kind":" "}                           | kind must not be blank
            start_session | {"session_id":"s","kind":"claude","name":"unknown"}     | 'unknown' is not a name
            create_review | {"intent":" ","description":"x"}                        | intent must not be blank
            claim_review  | {"review_id":"r","reviewer_id":" "}                     | reviewer_id must not be blank
            claim_next_review | {"reviewer_id":""}                                  | reviewer_id must not be blank
            release_review | {"review_id":"r","reviewer_id":" ","claim_generation":1} | reviewer_id must not be blank
            kill_reviewer | {"reviewer_id":" "}                                     | reviewer_id must not be blank
            who           | []                                                      | the arguments must be a JSON object, not a list
            who           | "x"                                                     | the arguments must be a JSON object, not text
            claim         | {"resource":"key:a","holder":"me"                       | the body is not valid JSON in line 1, column
            claim         | {"resource":"key:a","resource":"key:b","holder":"me"}   | the body is not valid JSON in line 1, column
            claim         | {"resource":"key:a","holder":"me"} {}                   | the body is not valid JSON in line 1, column
            claim         | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] | the body cannot be read: Document nesting depth (33) exceeds the maximum allowed (32)
            claim         | {"resource":key:a}                                      | the body is not valid JSON in line 1, column
            """)
    void what_is_wrong_is_named(String verb, String body, String text) {
        Reply reply = caller.raw(verb, body);

        assertThat(reply.text("error")).contains(text);
        assertThat(reply.text("code")).isEqualTo("invalid");
        assertThat(reply.status()).isEqualTo(400);
    }

    @Test
    void everything_that_is_wrong_is_named_at_once() {
        assertThat(caller.call("claim", "resorce", "key:a", "ttl_seconds", 0).text("error"))
                .contains("unknown field resorce", "missing field resource", "missing field holder", "ttl_seconds");
    }

    @Test
    void a_fence_without_generation_is_missing() {
        for (String verb : new String[] {"heartbeat", "release"}) {
            Reply reply = caller.call(verb, "resource", "key:a", "holder", "me");
            assertThat(reply.status()).isEqualTo(412);
            assertThat(reply.text("code")).isEqualTo("fence_missing");
        }
    }

    @Test
    void text_that_is_too_long_is_refused_with_its_limit() {
        assertThat(caller.call("claim", "resource", "key:a", "holder", "x".repeat(201))
                        .text("error"))
                .isEqualTo("holder is longer than 200 characters");
        assertThat(caller.call("claim", "resource", "key:" + "é".repeat(600), "holder", "me")
                        .text("error"))
                .contains("1024 bytes");
        assertThat(caller.call(
                                "release",
                                "resource",
                                "key:a",
                                "holder",
                                "me",
                                "claim_generation",
                                1,
                                "note",
                                "x".repeat(10_001))
                        .text("error"))
                .isEqualTo("note is longer than 10000 characters");
    }

    @Test
    void nesting_has_a_limit() {
        Reply reply = caller.raw("claim", "{\"under\":".repeat(100) + "1" + "}".repeat(100));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("error")).contains("nesting depth");
    }

    @Test
    void a_body_over_the_limit_is_refused_whether_its_length_is_told_or_not() {
        String huge = "{\"holder\":\"" + "x".repeat(LIMIT) + "\"}";
        Reply declared = caller.raw("claim", huge);
        Reply chunked = caller.send(caller.request("/api/v1/claim")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(huge.getBytes(UTF_8)))))
                .join();

        for (Reply reply : new Reply[] {declared, chunked}) {
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.text("code")).isEqualTo("too_large");
            assertThat(reply.text("error")).contains("20000 bytes");
        }
    }

    @Test
    void another_content_type_is_refused() {
        Reply reply = caller.send(caller.request("/api/v1/claim")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("{\"resource\":\"key:a\",\"holder\":\"me\"}")))
                .join();

        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.text("error")).contains("application/json");
    }

    @Test
    void an_unknown_verb_is_told_the_known_ones() {
        Reply reply = caller.raw("clam", "{}");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text("code")).isEqualTo("not_found");
        assertThat(reply.text("error")).contains("POST /api/v1/clam", "claim_next", "list_agents");
        assertThat(caller.get("/nowhere").status()).isEqualTo(404);
    }

    @Test
    void another_method_is_told_the_right_one() {
        Reply get = caller.get("/api/v1/claim");
        assertThat(get.status()).isEqualTo(405);
        assertThat(get.raw().headers().firstValue("Allow")).contains("POST");
        Reply options = caller.send(caller.request("/api/v1/claim").method("OPTIONS", BodyPublishers.noBody()))
                .join();
        assertThat(options.status()).isEqualTo(405);
        assertThat(options.raw().headers().map()).doesNotContainKey("Access-Control-Allow-Origin");
        Reply post = caller.send(caller.request("/healthz").POST(BodyPublishers.noBody()))
                .join();
        assertThat(post.status()).isEqualTo(405);
        assertThat(post.raw().headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void a_path_that_could_be_read_in_two_ways_is_refused_in_json_and_the_connection_with_it() {
        Reply reply = caller.get("/api/v1/a%00b");

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("code")).isEqualTo("invalid");
        assertThat(reply.raw().headers().firstValue("Connection")).hasValue("close");
    }
}
