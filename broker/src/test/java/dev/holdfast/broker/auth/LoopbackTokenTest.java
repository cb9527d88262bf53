package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.pool.ScriptedReviewer;
import dev.holdfast.testing.OtherUser;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that answers only programs of its own user. */
@Timeout(120)
class LoopbackTokenTest {
    private static final List<String> DOORS = List.of(
            "GET /api/v1/openapi.json",
            "GET /api/v1/events",
            "POST /api/v1/who",
            "POST /api/v1/claim",
            "POST /mcp",
            "POST /mcp/work",
            "POST /mcp/tasks",
            "POST /mcp/all",
            "POST /hooks/claude",
            "POST /hooks/codex?guard=paths",
            "GET /metrics",
            "GET /",
            "GET /nothing",
            "DELETE /mcp",
            "GET /metrics/",
            "GET /healthz;/../metrics",
            "GET /healthz/../metrics",
            "GET /%68ealthz/../metrics",
            "GET //healthz",
            "GET /readyz/x");

    @TempDir
    private Path folder;

    private Broker broker;

    @BeforeEach
    void start() {
        broker = start("token", 0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Broker start(String loopback, long port) {
        return Broker.start(Config.in(
                folder,
                new Settings()
                        .put(Setting.LOOPBACK, loopback)
                        .put(Setting.PORT, port)
                        .put(Setting.POOL_ENGINE, "command")
                        .put(Setting.POOL_COMMAND, ScriptedReviewer.command("claim-and-sleep", folder))));
    }

    private long port() {
        return URI.create(broker.url()).getPort();
    }

    private Path file() {
        return folder.resolve("state").resolve("token-127.0.0.1-" + port());
    }

    private String token() throws IOException {
        return Files.readString(file()).strip();
    }

    /** The head of the answer and the beginning of its body. */
    private String answer(String door, String... headers) throws IOException {
        boolean post = door.startsWith("POST");
        String request = door + " HTTP/1.1\r\nHost: 127.0.0.1:" + port() + "\r\n"
                + Stream.of(headers).map(header -> header + "\r\n").reduce("", String::concat)
                + "Accept: application/json, text/event-stream\r\n"
                + (post ? "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}" : "\r\n");
        try (Socket socket = new Socket("127.0.0.1", (int) port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] some = new byte[2_000];
            int read = socket.getInputStream().read(some);
            return read < 0 ? "" : new String(some, 0, read, StandardCharsets.UTF_8);
        }
    }

    private String bearer() throws IOException {
        return "Authorization: Bearer " + token();
    }

    @Test
    void no_door_opens_without_the_token_and_the_answer_says_where_it_is_found() throws IOException {
        for (String door : DOORS) {
            assertThat(answer(door))
                    .as(door)
                    .matches("(?s)HTTP/1.1 40[01] .*")
                    .satisfies(answer -> assertThat(answer.startsWith("HTTP/1.1 400 ")
                                    || (answer.contains("WWW-Authenticate: Bearer ")
                                            && answer.contains("\"code\":\"unauthorized\"")
                                            && answer.contains(file().toString())))
                            .isTrue());
        }
    }

    @Test
    void every_door_opens_with_the_token() throws IOException {
        for (String door : DOORS) {
            assertThat(answer(door, bearer())).as(door).isNotEmpty().doesNotContain("HTTP/1.1 401 ");
        }
        assertThat(answer("GET /metrics", bearer())).startsWith("HTTP/1.1 200 ");
        assertThat(answer("GET /api/v1/events", "authorization: bearer  " + token()))
                .startsWith("HTTP/1.1 200 ");
        try (BrokerClient caller = new BrokerClient(broker.url(), token())) {
            assertThat(caller.call("claim", "resource", "key:deploy", "holder", "ann")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void whether_the_broker_is_well_is_told_to_everybody() throws IOException {
        assertThat(answer("GET /healthz")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("GET /readyz")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("HEAD /healthz")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void a_wrong_token_opens_nothing() throws IOException {
        String token = token();
        for (String shown : List.of(
                "Bearer",
                "Bearer ",
                "Bearer " + token.substring(1),
                "Bearer " + token + "x",
                "Bearer " + new StringBuilder(token).reverse(),
                "Basic " + token,
                token)) {
            assertThat(answer("POST /api/v1/who", "Authorization: " + shown))
                    .as(shown)
                    .startsWith("HTTP/1.1 401 ");
        }
        assertThat(answer("POST /api/v1/who", "Authorization: Bearer wrong", bearer()))
                .as("only the first counts")
                .startsWith("HTTP/1.1 401 ");
    }

    @Test
    void the_token_is_its_users_alone_and_stays_the_same_over_restarts() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("state"))))
                .isEqualTo("rwx------");
        assertThat(token()).matches("[A-Za-z0-9_-]{43}");
        Path picked = file();
        long port = port();
        broker.close();
        assertThat(picked).as("of a port that nobody chose").doesNotExist();

        broker = start("token", port);
        String first = token();
        broker.close();
        broker = start("token", port);
        assertThat(token()).isEqualTo(first);
    }

    @Test
    void a_token_that_others_could_read_or_that_is_none_is_replaced() throws IOException {
        long port = port();
        broker.close();
        broker = start("token", port);
        String first = token();
        broker.close();
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
        broker = start("token", port);
        assertThat(token()).isNotEqualTo(first).matches("[A-Za-z0-9_-]{43}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        broker.close();
        Files.writeString(file(), "short");
        broker = start("token", port);
        assertThat(token()).matches("[A-Za-z0-9_-]{43}");
        assertThat(answer("POST /api/v1/who", bearer())).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void a_token_that_another_user_has_planted_is_replaced() throws Exception {
        assumeTrue(OtherUser.isThere(), OtherUser.WHY_NOT);
        long port = port();
        Path file = file();
        broker.close();
        String planted = "x".repeat(43);
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), planted + "\n");
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(file, elsewhere);
        broker = start("token", port);
        assertThat(Files.isSymbolicLink(file)).as("a link").isFalse();
        assertThat(token()).isNotEqualTo(planted);
        assertThat(elsewhere).hasContent(planted + "\n");
        broker.close();

        Files.writeString(file, planted + "\n");
        Files.setOwner(
                file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        broker = start("token", port);
        assertThat(token()).as("another's file").isNotEqualTo(planted);
        assertThat(Files.getOwner(file)).isEqualTo(Files.getOwner(elsewhere));
    }

    @Test
    void a_broker_that_asks_for_none_any_more_takes_the_token_that_clients_still_send() throws IOException {
        long port = port();
        broker.close();
        broker = start("token", port);
        String bearer = bearer();
        broker.close();
        broker = start("open", port);
        assertThat(answer("POST /api/v1/who")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("POST /api/v1/who", bearer)).startsWith("HTTP/1.1 200 ");
        assertThat(answer("POST /api/v1/who", "Authorization: Bearer wrong")).startsWith("HTTP/1.1 401 ");
    }

    @Test
    void reviewers_of_the_pool_come_in_by_their_own_tokens_and_only_where_they_review() throws IOException {
        try (BrokerClient caller = new BrokerClient(broker.url(), token())) {
            caller.call("create_review", Given.proposal());
        }
        Path copy =
                await().until(this::copyOfAReviewersToken, Optional::isPresent).orElseThrow();
        String bearer = "Authorization: Bearer " + Files.readAllLines(copy).getFirst();
        assertThat(answer("POST /api/v1/list_reviews", bearer)).startsWith("HTTP/1.1 200 ");
        assertThat(answer("POST /mcp", bearer)).doesNotContain("HTTP/1.1 401 ");
        for (String door : List.of("POST /hooks/claude", "GET /metrics")) {
            assertThat(answer(door, bearer)).as(door).startsWith("HTTP/1.1 401 ");
        }
    }

    private Optional<Path> copyOfAReviewersToken() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("copy-of-"))
                    .filter(file -> file.toFile().length() > 0)
                    .findFirst();
        }
    }

    @Test
    void another_user_of_the_machine_is_refused_and_cannot_read_the_token() throws Exception {
        assumeTrue(OtherUser.isThere(), OtherUser.WHY_NOT);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        String who = broker.url() + "/api/v1/who";
        assertThat(OtherUser.run("curl", "-s", "-d", "{}", "-H", "Content-Type: application/json", who)
                        .out())
                .contains("\"code\":\"unauthorized\"", file().toString())
                .doesNotContain(token());
        assertThat(OtherUser.run("cat", file().toString()).exitCode()).isNotZero();
        assertThat(OtherUser.run("curl", "-s", broker.url() + "/readyz").out()).contains("ready");
    }
}
