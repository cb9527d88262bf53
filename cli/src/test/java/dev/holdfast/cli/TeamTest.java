package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.hooks.AgentHost;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Commands for a broker that other machines reach by TLS, with tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TeamTest {
    static final Path PEM = Path.of("../broker/src/test/resources/dev/holdfast/broker/tls")
            .toAbsolutePath()
            .normalize();

    private Path folder;
    private Path tokenFile;
    private Broker broker;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        folder = temporary;
        tokenFile = folder.resolve("ann.token");
        try (Broker first = Broker.start(Config.in(folder))) {
            Ran made = Ran.in(
                    folder,
                    Map.of("HOLDFAST_URL", first.url()),
                    "",
                    "token",
                    "create",
                    "ann",
                    "--role",
                    "admin",
                    "--expires",
                    "90d",
                    "--to",
                    "ann.token");
            assertThat(made.exitCode()).as(made.err()).isZero();
            assertThat(made.out()).doesNotContain("hf_");
        }
        broker = Broker.start(Config.in(
                folder,
                new Settings()
                        .put(Setting.HOST, "0.0.0.0")
                        .put(
                                Setting.TLS_CERTIFICATE,
                                PEM.resolve("first.cert.pem").toString())
                        .put(Setting.TLS_KEY, PEM.resolve("first.key.pem").toString())));
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private int port() {
        return URI.create(broker.url()).getPort();
    }

    private Map<String, String> environment(String... more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "HOLDFAST_URL", "https://127.0.0.1:" + port(),
                "HOLDFAST_CA", PEM.resolve("first.cert.pem").toString(),
                "HOLDFAST_TOKEN_FILE", tokenFile.toString()));
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    @Test
    void a_token_from_a_private_file_is_shown_to_a_broker_whose_certificate_is_trusted() throws IOException {
        assertThat(broker.url()).startsWith("https://");
        assertThat(Files.getPosixFilePermissions(tokenFile)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Ran claimed = Ran.command(environment(), "claim", "key:deploy", "--holder", "ann/laptop");
        assertThat(claimed.exitCode()).as(claimed.err()).isZero();
        assertThat(Ran.command(environment(), "claim", "key:other", "--holder", "bob")
                        .err())
                .contains("this is the token of ann");
    }

    @Test
    void a_broker_that_nobody_vouches_for_is_told_nothing() {
        Ran ran = Ran.command(
                environment("HOLDFAST_CA", PEM.resolve("second.cert.pem").toString()), "who");
        assertThat(ran.exitCode()).isNotZero();
        assertThat(ran.err()).contains("its certificate is not trusted").contains("Nothing was sent");
    }

    @Test
    void a_token_file_that_others_can_read_is_refused_with_what_to_do() throws IOException {
        Path open = Files.writeString(folder.resolve("open.token"), "hf_0_x\n");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Ran ran = Ran.command(environment("HOLDFAST_TOKEN_FILE", open.toString()), "who");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("chmod 600 " + open);
    }

    @Test
    void tokens_are_made_listed_rotated_and_revoked() {
        Ran made =
                Ran.command(environment(), "token", "create", "bob", "--role", "worker,proposer", "--project", "shop");
        String token = made.out().strip();
        assertThat(token).matches("hf_[0-9a-f]{8}_[A-Za-z0-9_-]{43}");
        assertThat(made.err()).contains("cannot be shown again").doesNotContain(token);
        Ran list = Ran.command(environment(), "token", "list");
        assertThat(list.out())
                .contains("bob")
                .contains("proposer,worker")
                .contains("shop")
                .doesNotContain(token);
        String rotated =
                Ran.command(environment(), "token", "rotate", "bob").out().strip();
        assertThat(Ran.command(environment("HOLDFAST_TOKEN", token), "work", "list")
                        .exitCode())
                .isEqualTo(1);
        assertThat(Ran.command(environment("HOLDFAST_TOKEN", rotated), "work", "list")
                        .exitCode())
                .isZero();
        assertThat(Ran.command(environment("HOLDFAST_TOKEN", rotated), "token", "list")
                        .err())
                .contains("the token bob (proposer and worker) may not use 'token list'");
        assertThat(Ran.command(environment(), "token", "revoke", "bob").out()).contains("revoked bob");
        Ran refused = Ran.command(environment("HOLDFAST_TOKEN", rotated), "work", "list");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("the token bob was revoked").doesNotContain(rotated);
        assertThat(Ran.command(environment(), "token", "create", "carl").err()).contains("--role");
    }

    @Test
    void an_admin_rotates_and_revokes_the_very_token_they_call_with() throws IOException {
        Ran made = Ran.in(folder, environment(), "", "token", "create", "zed", "--role", "admin", "--to", "zed.token");
        assertThat(made.exitCode()).as(made.err()).isZero();
        Map<String, String> zed =
                environment("HOLDFAST_TOKEN_FILE", folder.resolve("zed.token").toString());
        Ran rotated = Ran.in(folder, zed, "", "token", "rotate", "zed", "--to", "zed2.token");
        assertThat(rotated.exitCode()).as(rotated.err()).isZero();
        assertThat(Ran.command(zed, "who").err()).contains("unknown token");
        zed.put("HOLDFAST_TOKEN_FILE", folder.resolve("zed2.token").toString());
        Path kept = folder.resolve("zed2.token");
        String before = Files.readString(kept);
        Ran again = Ran.in(folder, zed, "", "token", "rotate", "zed", "--to", "zed2.token");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(kept).as("the file of this very token is replaced").content().isNotEqualTo(before);
        assertThat(Files.getPosixFilePermissions(kept)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(folder.resolve("zed2.token.new")).doesNotExist();
        Path other = Files.writeString(folder.resolve("other.token"), "hf_00000000_secret\n");
        assertThat(Ran.in(folder, zed, "", "token", "rotate", "zed", "--to", "other.token")
                        .err())
                .contains("other.token exists; name a new file");
        assertThat(other).hasContent("hf_00000000_secret\n");
        Ran revoked = Ran.command(zed, "token", "revoke", "zed");
        assertThat(revoked.exitCode()).as(revoked.err()).isZero();
        assertThat(revoked.out()).startsWith("revoked zed");
        assertThat(Ran.command(zed, "who").err()).contains("the token zed was revoked");
    }

    @Test
    void without_a_name_the_command_line_acts_under_the_name_of_its_token() {
        Ran claimed = Ran.command(environment(), "claim", "key:by-token");
        assertThat(claimed.exitCode()).as(claimed.err()).isZero();
        assertThat(Ran.command(environment(), "who", "--holder", "ann").out()).contains("key:by-token");
        assertThat(Ran.command(environment(), "status").out())
                .contains("you         ann (the name of your token;", "key:by-token");
        assertThat(Ran.command(environment("HOLDFAST_AGENT", "bea"), "claim", "key:other")
                        .err())
                .contains("cannot act as bea", "export HOLDFAST_AGENT=ann", "leave it unset");
        assertThat(Ran.command(environment(), "release", "key:by-token").exitCode())
                .isZero();
    }

    @Test
    void a_name_that_looks_like_that_of_another_token_is_refused() {
        Ran taken = Ran.command(environment(), "token", "create", "Ann", "--role", "viewer");
        assertThat(taken.exitCode()).isNotZero();
        assertThat(taken.err()).contains("the name Ann looks like that of the token ann");
    }

    @Test
    void the_lifetime_of_a_token_needs_a_unit_and_its_end_is_told() {
        Ran bare = Ran.command(environment(), "token", "create", "dot", "--role", "viewer", "--expires", "90");
        assertThat(bare.exitCode()).isEqualTo(2);
        assertThat(bare.err()).contains("--expires needs a unit, such as 90d or 12h");
        Ran made = Ran.command(environment(), "token", "create", "dot", "--role", "viewer", "--expires", "90d");
        assertThat(made.err()).contains("It ends at 20");
    }

    @Test
    void files_that_variables_name_and_that_are_not_there_are_told_by_their_variable() {
        Ran authority = Ran.command(environment("HOLDFAST_CA", "/nonexist"), "who");
        assertThat(authority.exitCode()).isEqualTo(2);
        assertThat(authority.err()).contains("/nonexist (HOLDFAST_CA) does not exist");
        Ran token = Ran.command(environment("HOLDFAST_TOKEN_FILE", "/nonexist"), "who");
        assertThat(token.exitCode()).isEqualTo(2);
        assertThat(token.err()).contains("/nonexist (HOLDFAST_TOKEN_FILE) does not exist");
    }

    @Test
    void whoever_revokes_the_last_token_is_warned_that_the_broker_will_not_start_again(@TempDir Path own) {
        String token;
        try (Broker first = Broker.start(Config.in(own))) {
            token = Ran.command(Map.of("HOLDFAST_URL", first.url()), "token", "create", "sol", "--role", "admin")
                    .out()
                    .strip();
        }
        try (Broker open = Broker.start(Config.in(own, new Settings().put(Setting.HOST, "0.0.0.0")))) {
            String url = "http://127.0.0.1:" + URI.create(open.url()).getPort();
            Ran revoked = Ran.command(Map.of("HOLDFAST_URL", url, "HOLDFAST_TOKEN", token), "token", "revoke", "sol");
            assertThat(revoked.exitCode()).as(revoked.err()).isZero();
            assertThat(revoked.out()).isEqualTo("revoked sol\n");
            assertThat(revoked.err()).contains("will not start again", "holdfast token create NAME --role admin");
        }
    }

    @Test
    void a_hook_tells_the_broker_of_its_session_by_tls_with_the_token_of_a_file() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
        String script = Files.readString(Path.of("src/main/resources/dev/holdfast/cli/hooks", AgentHost.SCRIPT))
                .replace("@URL@", "'https://127.0.0.1:" + port() + "'")
                .replace("@START@", "off")
                .replace("@HOLDFAST@", "''");
        Path file = Files.writeString(folder.resolve("hook.sh"), script);
        ProcessBuilder hook = new ProcessBuilder("sh", file.toString(), "claude", "start");
        hook.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("CLAUDE"));
        hook.environment().putAll(environment());
        hook.environment().remove("HOLDFAST_URL");
        Process process = hook.start();
        try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write("{\"hook_event_name\": \"SessionStart\", \"session_id\": \"by-tls\", \"cwd\": \"/\"}");
        }
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("your agent id is claude-");
        assertThat(process.waitFor()).isZero();
    }

    /** What curl is answered in the other network. */
    private static String statusFromElsewhere(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", "holdfast-test", "curl", "-s"));
        words.addAll(List.of("-o", "/dev/null", "-w", "%{http_code}"));
        words.addAll(List.of(arguments));
        return run(words.toArray(String[]::new));
    }

    @Test
    void curl_from_another_network_is_refused_without_a_token_and_served_with_one_over_tls()
            throws IOException, InterruptedException {
        assumeTrue(network(), "no network namespace can be made here (needs root, ip and curl)");
        try {
            String url = "https://10.231.77.1:" + port() + "/api/v1/openapi.json";
            String ca = PEM.resolve("first.cert.pem").toString();
            assertThat(statusFromElsewhere("--cacert", ca, url)).isEqualTo("401");
            Path header = Files.writeString(
                    folder.resolve("header"),
                    "Authorization: Bearer " + Files.readString(tokenFile).strip());
            assertThat(statusFromElsewhere("--cacert", ca, "-H", "@" + header, url))
                    .isEqualTo("200");
        } finally {
            run("ip", "netns", "del", "holdfast-test");
            run("ip", "link", "del", "holdfast-t0");
        }
    }

    private static boolean network() throws InterruptedException {
        try {
            run("ip", "netns", "del", "holdfast-test");
            run("ip", "link", "del", "holdfast-t0");
            run("ip", "netns", "add", "holdfast-test");
            run("ip", "link", "add", "holdfast-t0", "type", "veth", "peer", "name", "eth0", "netns", "holdfast-test");
            run("ip", "addr", "add", "10.231.77.1/30", "dev", "holdfast-t0");
            run("ip", "link", "set", "holdfast-t0", "up");
            run("ip", "-n", "holdfast-test", "addr", "add", "10.231.77.2/30", "dev", "eth0");
            run("ip", "-n", "holdfast-test", "link", "set", "eth0", "up");
            return run("ip", "netns", "exec", "holdfast-test", "curl", "--version")
                            .startsWith("curl")
                    && run("ip", "-n", "holdfast-test", "addr").contains("10.231.77.2");
        } catch (IOException none) {
            return false;
        }
    }

    private static String run(String... words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(words)).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return out;
    }
}
