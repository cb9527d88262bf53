package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class OutageTest {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    /** Of a usual HTTP client: whoever has no answer by then gives up and never hears that the broker is busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void while_the_database_is_away_the_broker_is_busy_and_then_goes_on_by_itself() throws Exception {
        EmbeddedPostgres postgres = postgres(0);
        int port = postgres.getPort();
        Config config = Config.of(new Settings()
                .put(Setting.DATABASE, "postgres://postgres@localhost:" + port + "/postgres")
                .put(Setting.PORT, 0L));
        try (Broker broker = Broker.start(config);
                BrokerClient caller = new BrokerClient(broker)) {
            long generation =
                    caller.call("claim", "resource", "key:one", "holder", "me").generation();
            assertThat(caller.get("/readyz").status()).isEqualTo(200);

            postgres.close();
            Reply ready = caller.get("/readyz");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text("error")).startsWith("not ready: ");
            Reply claim = caller.call("claim", "resource", "key:two", "holder", "me");
            assertThat(claim.status()).isEqualTo(503);
            assertThat(claim.text("code")).isEqualTo("busy");
            assertThat(claim.raw().headers().firstValue("Retry-After")).contains("1");
            for (String kept : List.of("", "holdfast_session=hfp_" + "x".repeat(43))) {
                HttpResponse<String> page = page(broker, "/reviews", kept);
                assertThat(page.statusCode()).isEqualTo(503);
                assertThat(page.headers().firstValue("Retry-After")).contains("1");
                assertThat(page.body()).contains("The broker cannot show this page now");
            }
            assertThat(caller.get("/healthz").status()).isEqualTo(200);
            assertThat(caller.get("/metrics").status()).isEqualTo(200);

            postgres = postgres(port);
            await().until(() -> caller.get("/readyz").status() == 200);
            Reply beat =
                    caller.call("heartbeat", "resource", "key:one", "holder", "me", "claim_generation", generation);
            assertThat(beat.status()).isEqualTo(200);
        } finally {
            postgres.close();
        }
    }

    /** Of each that asks the store for anything. */
    @Test
    void every_verb_and_page_is_busy_in_plain_words_while_the_database_is_away() throws IOException {
        EmbeddedPostgres postgres = postgres(0);
        Config config = Config.of(new Settings()
                .put(Setting.DATABASE, "postgres://postgres@localhost:" + postgres.getPort() + "/postgres")
                .put(Setting.PORT, 0L));
        try (Broker broker = Broker.start(config);
                BrokerClient caller = new BrokerClient(broker)) {
            Map<String, HttpRequest.Builder> requests = new LinkedHashMap<>();
            String review = caller.call("create_review", "intent", "something", "project", "shop")
                    .text("review_id");
            String item = caller.call("create_work", "title", "something")
                    .body()
                    .at("/item/id")
                    .asString();
            String task = caller.call("create_task", "name", "something", "steps", List.of(Map.of("key", "one")))
                    .text("task_id");
            Map<Kind, String> ids =
                    Map.of(Kind.REVIEW, review, Kind.WORK, item, Kind.FINALIZATION, task, Kind.STEP, task + ".one");
            for (Verb verb : broker.verbs()) {
                requests.put(verb.name(), caller.post(verb.name(), MAPPER.writeValueAsString(arguments(verb, ids))));
            }
            for (String page : List.of(
                    "/",
                    "/reviews",
                    "/reviews/" + review,
                    "/reviews/" + review + "/files/1",
                    "/work",
                    "/work/" + item,
                    "/tasks",
                    "/tasks/" + task,
                    "/pool",
                    "/agents",
                    "/events",
                    "/settings",
                    "/ui/find?q=something",
                    "/ui/matching/reviews",
                    "/dashboard/api/overview",
                    "/readyz")) {
                requests.put(page, caller.request(page).GET());
            }
            postgres.close();

            Map<String, CompletableFuture<Reply>> asked = new LinkedHashMap<>();
            requests.forEach((name, request) -> asked.put(name, caller.send(request.timeout(PATIENCE))));
            Map<String, String> wrong = new TreeMap<>();
            asked.forEach((name, answer) -> {
                try {
                    Reply reply = answer.join();
                    if (!WITHOUT_STORE.contains(name) && !busyInPlainWords(name, reply)) {
                        wrong.put(name, reply.status() + " " + reply.raw().body());
                    }
                } catch (CompletionException unanswered) {
                    wrong.put(name, unanswered.toString());
                }
            });
            assertThat(wrong).isEmpty();
        } finally {
            postgres.close();
        }
    }

    private static boolean busyInPlainWords(String name, Reply reply) {
        boolean busy = reply.status() == 503
                && (reply.text("code").equals("busy") || name.equals("/readyz"))
                && reply.raw().headers().firstValue("Retry-After").isPresent();
        return busy
                && reply.raw().body().matches("(?s).*(PostgreSQL does not answer|has not answered).*")
                && !reply.raw().body().matches("(?s).*(holdfast-postgres|refused|Exception|SQL state|FATAL).*");
    }

    /** Answered from memory or, a heartbeat without its generation, possibly refused before the store is asked. */
    private static final Set<String> WITHOUT_STORE =
            Set.of("list_reviewers", "spawn_reviewer", "kill_reviewer", "get_reviewer_log", "heartbeat");

    private static Map<String, Object> arguments(Verb verb, Map<Kind, String> ids) {
        Map<String, Object> arguments = new VerbArguments(ids, "something").of(verb);
        switch (verb.name()) {
            case "heartbeat" -> arguments.put("resource", "work:" + ids.get(Kind.WORK));
            case "add_dependency", "remove_dependency" -> arguments.put("depends_on", "hf-other");
            case "reserve_paths" -> arguments.put("paths", List.of("src/**"));
            case "create_token" -> arguments.put("roles", List.of("worker"));
            default -> {}
        }
        return arguments;
    }

    /** As a browser asks for it. */
    static HttpResponse<String> page(Broker broker, String path, String cookie) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(broker.url() + path))
                            .header("Accept", "text/html,*/*;q=0.8")
                            .header("Cookie", cookie)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private EmbeddedPostgres postgres(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }
}
