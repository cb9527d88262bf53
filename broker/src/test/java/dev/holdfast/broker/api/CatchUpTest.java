package dev.holdfast.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.SqliteStore;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatchUpTest {
    @TempDir
    private Path folder;

    /** It may have asked for everything that ever happened, and read it as slowly as it likes. */
    @Test
    void a_subscriber_whose_token_has_ended_gets_no_more_of_the_past() throws Exception {
        try (SqliteStore store = SqliteStore.open(folder);
                Claims claims = Claims.over(store);
                HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < 1_200; i++) {
                claims.claim(ClaimRequest.of(Resource.key("k" + i), "me"));
            }
            EventStream stream = new EventStream(claims.tail(), Duration.ofSeconds(1), _ -> false);
            Javalin server = Javalin.create(config -> config.routes.get("/events", stream::serve))
                    .start(0);
            try {
                String got = client.send(
                                HttpRequest.newBuilder(
                                                URI.create("http://127.0.0.1:" + server.port() + "/events?after=0"))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
                assertThat(got).contains("key:k1\"").doesNotContain("key:k1199");
            } finally {
                server.stop();
            }
        }
    }
}
