package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.testing.FreePort;
import dev.holdfast.testing.SettableClock;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a broker that runs. Each test has resources and holders of its own. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandsTest {
    private final Broker broker;
    private final Path folder;

    CommandsTest(@TempDir Path folder) {
        this.folder = folder;
        this.broker = Broker.start(Config.in(TestSqlite.in(folder.resolve("data"))));
    }

    @BeforeAll
    void broker_answers() {
        assertThat(as("nobody", "who").exitCode()).isZero();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private Ran as(String holder, String... words) {
        return Ran.command(Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", holder), words);
    }

    @Test
    void a_mistyped_generation_costs_nobody_a_claim() {
        Map<String, String> ann =
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "ann", "HOME", folder.toString());
        String item = Ran.command(ann, "work", "create", "Mistyped").out().strip();
        for (String resource : List.of("key:typed", item)) {
            assertThat(Ran.command(ann, "claim", resource).exitCode()).isZero();
            for (String command : List.of("heartbeat", "release")) {
                Ran wrong = Ran.command(ann, command, resource, "--generation", "9");
                assertThat(wrong.exitCode()).isEqualTo(6);
                assertThat(wrong.err())
                        .contains("--generation 9 is wrong: you hold ", "at generation 1")
                        .doesNotContain("stop working");
            }
        }
        assertThat(Ran.command(ann, "work", "close", item, "--generation", "9").err())
                .contains("--generation 9 is wrong");
        assertThat(Ran.command(ann, "release", "key:typed").out()).contains("released key:typed");
        assertThat(Ran.command(ann, "work", "close", item).exitCode()).isZero();
    }

    @Test
    void what_one_holds_from_elsewhere_is_named_with_its_generation() {
        String item = as("eve", "work", "create", "Elsewhere").out().strip();
        Ran.command(
                Map.of(
                        "HOLDFAST_URL",
                        broker.url(),
                        "HOLDFAST_AGENT",
                        "eve",
                        "HOME",
                        folder.resolve("elsewhere").toString()),
                "claim",
                item);
        assertThat(as("eve", "claim", item).err()).contains("heartbeat work:" + item + " --generation 1'");
        assertThat(as("eve", "work", "close", item).err()).contains("did not claim it here; add --generation 1");
    }

    @Test
    void refusals_are_in_the_words_of_the_command_line() {
        assertThat(as("ann", "task", "create", "-f", "-").err()).contains("standard input is not valid JSON");
        assertThat(Ran.with(Map.of("HOLDFAST_URL", broker.url()), "{", "task", "create", "-f", "-")
                        .err())
                .contains("is not valid JSON", "at line 1, column")
                .doesNotContain("Source", "REDACTED");
        Ran reserved = as("ann", "work", "reserve", "src/a", "--queue", "q", "--holder", "carl");
        assertThat(reserved.out()).containsPattern("release it: .* release reservation:\\w+ --holder carl\n");
        String review = as("ann", "review", "create", "A plan", "--description", "one", "--json")
                .json()
                .text("review_id");
        assertThat(as("bob", "review", "verdict", String.valueOf(review), "approve", "--reason", "ok")
                        .err())
                .contains("claim it first (holdfast review claim " + review + ")");
        assertThat(as("bob", "review", "message", String.valueOf(review), "why?")
                        .err())
                .contains("claim it first: ");
        assertThat(as("ann", "review", "claim", String.valueOf(review)).err()).contains("--holder NAME");
        assertThat(RefusalWording.of("Unknown broker-managed reviewer_id: nope"))
                .isEqualTo("the pool has no reviewer nope");
        assertThat(as("ann", "release", "key:nix").out()).isEqualTo("nothing to release: nobody holds key:nix\n");
    }

    @Test
    void after_a_lost_answer_only_commands_that_change_something_say_to_look_first() throws IOException {
        try (ServerSocket hangingUp = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> {
                while (!hangingUp.isClosed()) {
                    try (Socket socket = hangingUp.accept()) {
                        socket.getInputStream().skipNBytes(1);
                    } catch (IOException gone) {
                        // the next one
                    }
                }
            });
            Map<String, String> there =
                    Map.of("HOLDFAST_URL", "http://127.0.0.1:" + hangingUp.getLocalPort(), "HOLDFAST_AGENT", "ann");
            assertThat(Ran.command(there, "claim", "key:a").err())
                    .contains("did not answer", "may have been carried out: check with 'holdfast who'");
            for (String reading : List.of("who", "review list", "work show hf-3k9x", "review show 3f2c")) {
                assertThat(Ran.command(there, reading.split(" ")).err())
                        .as(reading)
                        .contains("did not answer")
                        .doesNotContain("carried out");
            }
        }
    }

    @Test
    void a_claim_is_told_with_its_generation_and_expiry() {
        Ran ran = as("alice", "claim", "key:told", "--ttl", "10m");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .matches("claimed key:told, generation 1, until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\n");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void somebody_elses_claim_is_exit_code_3_and_says_whose() {
        as("alice", "claim", "key:held");

        Ran text = as("bob", "claim", "key:held");
        assertThat(text.exitCode()).isEqualTo(3);
        assertThat(text.out()).isEmpty();
        assertThat(text.err()).startsWith("holdfast: key:held is held by alice");

        Ran json = as("bob", "claim", "key:held", "--json");
        assertThat(json.exitCode()).isEqualTo(3);
        assertThat(json.json().text("code")).isEqualTo("held");
        assertThat(json.json().text("holder")).isEqualTo("alice");
        assertThat(json.err()).isEmpty();
    }

    @Test
    void a_repeated_request_gets_the_same_grant() {
        long first = as("alice", "claim", "key:again", "--request-id", "r1", "--json")
                .generation();

        assertThat(as("alice", "claim", "key:again", "--request-id", "r1", "--json")
                        .generation())
                .isEqualTo(first);
        assertThat(as("alice", "claim", "key:again", "--generation", String.valueOf(first))
                        .out())
                .startsWith("you hold key:again");
        assertThat(as("alice", "claim", "key:again").exitCode()).isEqualTo(3);
    }

    @Test
    void a_released_claim_hands_its_note_to_the_next_holder() {
        as("alice", "claim", "key:note");

        assertThat(as("alice", "release", "key:note", "--generation", "1", "--note", "mind the\u001b gap")
                        .exitCode())
                .isZero();
        assertThat(as("bob", "claim", "key:note").out())
                .contains("generation 2")
                .contains("note from the previous holder: mind the\\u001b gap");
    }

    @Test
    void a_lost_claim_is_exit_code_6_for_heartbeat_and_release() {
        SettableClock clock = SettableClock.inProcess();
        Path data = TestSqlite.in(folder.resolve("settable"));
        try (Broker settable = Broker.start(Config.in(data), SqliteStore.open(data, _ -> clock.leaseClock()))) {
            aLostClaimIsExitCode6(settable.url(), clock);
        }
    }

    private static void aLostClaimIsExitCode6(String url, SettableClock clock) {
        Map<String, String> zombie = Map.of("HOLDFAST_URL", url, "HOLDFAST_AGENT", "zombie");
        Map<String, String> heir = Map.of("HOLDFAST_URL", url, "HOLDFAST_AGENT", "heir");
        Ran.command(zombie, "claim", "key:lost", "--ttl", "10m");
        clock.advance(Duration.ofMinutes(10));
        assertThat(Ran.command(heir, "claim", "key:lost", "--json").exitCode()).isZero();

        Ran heartbeat = Ran.command(zombie, "heartbeat", "key:lost", "--generation", "1");
        assertThat(heartbeat.exitCode()).isEqualTo(6);
        assertThat(heartbeat.err()).contains("heir");
        assertThat(Ran.command(zombie, "release", "key:lost", "--generation", "1")
                        .exitCode())
                .isEqualTo(6);

        Ran all = Ran.command(zombie, "heartbeat");
        assertThat(all.exitCode()).isEqualTo(6);
        assertThat(all.out()).contains("LOST key:lost, generation 1");
    }

    @Test
    void a_heartbeat_without_a_name_extends_what_the_holder_claimed_here() {
        as("beating", "claim", "key:beat-1", "--ttl", "10m");
        as("beating", "claim", "key:beat-2", "--ttl", "10m");

        Ran all = as("beating", "heartbeat");
        assertThat(all.exitCode()).isZero();
        assertThat(all.out()).contains("extended key:beat-1", "extended key:beat-2");
        assertThat(as("beating", "heartbeat", "key:beat-1", "--generation", "1").out())
                .startsWith("extended key:beat-1, generation 1");
        assertThat(as("idle", "heartbeat").out()).isEqualTo("you hold nothing\n");
        assertThat(as("idle", "heartbeat", "key:none").err()).contains("nobody holds key:none; claim it first");
        assertThat(as("idle", "release", "src/cart.py").err()).contains("reservation:ID, which 'who' shows");
    }

    @Test
    void a_claim_that_waits_is_granted_when_the_other_releases() {
        as("alice", "claim", "key:wait");
        CompletableFuture<Ran> waiting =
                CompletableFuture.supplyAsync(() -> as("bob", "claim", "key:wait", "--wait", "30s", "--json"));

        assertThat(as("alice", "release", "key:wait", "--generation", "1").exitCode())
                .isZero();

        assertThat(waiting.join().generation()).isEqualTo(2);
    }

    @Test
    void a_claim_may_live_under_another() {
        as("alice", "claim", "key:outer@1");

        assertThat(as("alice", "claim", "path:inner", "--under", "key:outer@1@1")
                        .exitCode())
                .isZero();
        assertThat(as("bob", "claim", "path:inner").exitCode()).isEqualTo(3);
        assertThat(as("alice", "claim", "path:inner", "--under", "key:outer").exitCode())
                .isEqualTo(2);
    }

    @Test
    void nothing_ready_is_told_by_the_exit_code() {
        Ran text = as("alice", "claim", "--next", "--queue", "empty");
        assertThat(text.exitCode()).isEqualTo(5);
        assertThat(text.out()).isEqualTo("nothing is ready\n");

        Ran items = as("alice", "claim", "--next", "--queue", "empty", "--json");
        assertThat(items.exitCode()).isEqualTo(5);
        assertThat(items.json().has("item")).isTrue();
        assertThat(items.json().text("item")).isNull();

        Ran json = as("alice", "claim", "--next", "work", "--queue", "empty", "--json");
        assertThat(json.exitCode()).isEqualTo(5);
        assertThat(json.json().has("resource")).isTrue();
        assertThat(json.json().text("resource")).isNull();
    }

    @Test
    void who_shows_holders_with_their_claims() {
        as("x", "session", "start", "s-日本", "--name", "carol-日本", "--host", "build1", "--branch", "main");
        as("carol-日本", "claim", "path:src/日本語", "--ttl", "10m");

        Ran table = as("x", "who", "--holder", "carol-日本");
        assertThat(table.out().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches("carol-日本 \\(1 claim, host build1, branch main, last seen \\ds ago\\)"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "  RESOURCE         TITLE  GENERATION  AGE  LAST SEEN  EXPIRES IN  ATTEMPTS"),
                        line -> assertThat(line)
                                .matches("  path:src/日本語  -      1           \\ds   \\ds         (9m 5\\ds|10m) +0"));
        assertThat(as("x", "who", "--holder", "carol-日本", "--json").json().objects("holders"))
                .hasSize(1);
    }

    @Test
    void who_says_so_when_nobody_holds_anything() {
        Ran ran = as("x", "who", "--queue", "no such queue");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("nobody holds anything").hasLineCount(1);
    }

    @Test
    void a_list_that_was_cut_tells_how_to_get_the_rest() {
        as("page-1", "claim", "reservation:page-1");
        as("page-2", "claim", "reservation:page-2");

        Ran first = as("x", "who", "--kind", "reservation", "--limit", "1");
        assertThat(first.out()).contains("page-1").doesNotContain("page-2");
        assertThat(first.err()).contains("--cursor 'page-1'");
        assertThat(as("x", "who", "--kind", "reservation", "--limit", "1", "--cursor", "page-1")
                        .out())
                .contains("page-2")
                .doesNotContain("reservation:page-1");
    }

    @Test
    void events_are_one_line_each() {
        as("alice", "claim", "key:events");
        as("alice", "release", "key:events", "--generation", "1", "--note", "n");

        Ran ran = as("x", "events", "--resource", "key:events");
        assertThat(ran.out().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches("\\d+  \\S+ \\S+  released  key:events  alice  generation 1.*\"n\".*"),
                        line -> assertThat(line)
                                .matches("\\d+  \\S+ \\S+  claimed  key:events  alice  generation 1.*"));
        assertThat(as("x", "events", "--resource", "key:events", "--limit", "1").err())
                .contains("there is more: add --before ");
        assertThat(as("x", "events", "--resource", "key:events", "--after", "0", "-n", "1")
                        .err())
                .contains("there is more: add --after ");
        assertThat(as("x", "events", "--resource", "key:events", "--json")
                        .json()
                        .objects("events"))
                .hasSize(2);
    }

    @Test
    void a_session_frees_all_it_holds_when_it_ends() {
        Ran start = as("x", "session", "start", "s1", "--name", "dora", "--json");
        assertThat(start.json().text("holder")).isEqualTo("dora");
        as("dora", "claim", "key:session");

        assertThat(as("x", "session", "list").out()).contains("dora");
        assertThat(as("x", "session", "end", "s1").out()).contains("released key:session");
        assertThat(as("bob", "claim", "key:session").exitCode()).isZero();
        assertThat(as("x", "session", "list").out()).doesNotContain("dora");
        assertThat(as("x", "session", "list", "--all").out()).containsPattern("dora.*ended");
        assertThat(as("x", "session", "end", "nobody's").exitCode()).isEqualTo(4);
    }

    @Test
    void any_verb_can_be_called() throws IOException {
        Ran claim = as("x", "call", "claim", "resource=key:call", "holder=007", "ttl_seconds=600");
        assertThat(claim.generation()).isEqualTo(1);
        assertThat(claim.json().text("holder")).isEqualTo("007");
        assertThat(as("x", "call", "claim_next", "kind=work", "holder=a", "labels=a", "labels=b")
                        .exitCode())
                .isZero();
        assertThat(Ran.with(Map.of("HOLDFAST_URL", broker.url()), "{\"holder\":\"007\"}", "call", "who", "--input", "-")
                        .out())
                .contains("key:call");
        Path file = Files.writeString(folder.resolve("input.json"), "{\"holder\": \"nobody\"}");
        assertThat(as("x", "call", "who", "holder=007", "--input", file.toString())
                        .out())
                .contains("key:call");
    }

    @Test
    void a_list_of_objects_is_typed_as_json() {
        Ran created = as(
                "x",
                "call",
                "create_review",
                "intent=i",
                "agent_type=a",
                "agent_role=proposer",
                "phase=1",
                "skip_diff_validation=true",
                "diff=--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n");
        String id = "review_id=" + created.json().text("review_id");
        as("x", "call", "claim_review", id, "reviewer_id=ann");
        Ran said = as(
                "x",
                "call",
                "submit_verdict",
                id,
                "verdict=comment",
                "reason=hm",
                "reviewer_id=ann",
                "findings=[{\"path\": \"x\", \"line\": 1, \"severity\": \"must_fix\", \"message\": \"why b?\"}]");
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).contains("f1");
        as("x", "call", "get_proposal", id, "caller_id=ann");
        Ran refused = as("x", "call", "submit_verdict", id, "verdict=approved", "reviewer_id=ann");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("Approval blocked by finding f1");
        assertThat(as("x", "call", "submit_verdict", id, "verdict=approved", "reviewer_id=ann", "resolved=f1")
                        .exitCode())
                .isZero();
    }

    @Test
    void a_wrong_field_is_refused_in_the_brokers_words() {
        Ran unknown = as("x", "call", "claim", "resource=key:wrong", "holder=a", "ttl_secs=5");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("ttl_secs").contains("ttl_seconds");
        Ran mistyped = as("x", "call", "claim", "resource=key:wrong", "holder=a", "ttl_seconds=soon");
        assertThat(mistyped.exitCode()).isEqualTo(2);
        assertThat(mistyped.err()).contains("ttl_seconds must be a whole number");
        assertThat(as("x", "call", "no_such_verb", "a=b").exitCode()).isEqualTo(2);
        assertThat(as("x", "call", "../healthz").exitCode()).isEqualTo(2);
        Ran missing = as("x", "claim", "deploy");
        assertThat(missing.exitCode()).isEqualTo(4);
        assertThat(missing.err())
                .contains("there is no work item deploy", "to claim a key of that name: holdfast claim key:deploy");
        assertThat(as("x", "claim", "key:wrong", "--ttl", "0").exitCode()).isEqualTo(2);
        assertThat(as("x", "who", "--holder", "a").out()).startsWith("nobody");
    }

    @Test
    void input_that_is_too_large_or_no_json_is_refused() throws IOException {
        Path large =
                Files.writeString(folder.resolve("large.json"), "{\"holder\": \"" + "x".repeat(40_000_000) + "\"}");
        Ran ran = as("x", "call", "who", "--input", large.toString(), "--json");
        assertThat(ran.exitCode()).as(ran.out()).isEqualTo(2);
        assertThat(ran.json().text("code")).isEqualTo("too_large");

        assertThat(Ran.with(Map.of("HOLDFAST_URL", broker.url()), "{nope", "call", "who", "--input", "-")
                        .err())
                .contains("standard input is not valid JSON");
        assertThat(as("x", "call", "who", "--input", "/no/such/file").exitCode())
                .isEqualTo(2);
    }

    @Test
    void without_a_holder_outside_of_git_a_person_is_known_by_the_login() {
        Ran ran = Ran.command(
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", " "), "claim", "key:login", "--json");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.json().text("holder")).isEqualTo(System.getProperty("user.name"));
    }

    @Test
    void an_unreachable_broker_is_exit_code_7_and_the_text_says_how_to_start_one() throws IOException {
        String url = FreePort.url();
        Ran text = as("alice", "who", "--url", url);
        assertThat(text.exitCode()).isEqualTo(7);
        assertThat(text.err())
                .contains(url)
                .contains("'holdfast serve --port " + url.substring(url.lastIndexOf(':') + 1) + "'");

        Ran json = as("alice", "events", "--follow", "--url", url, "--json");
        assertThat(json.exitCode()).isEqualTo(7);
        assertThat(json.json().text("code")).isEqualTo("unreachable");
    }

    @Test
    void names_that_the_locale_could_not_read_are_not_sent() {
        Ran ran = as("alice", "claim", "key:\ufffd\ufffd");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("LC_ALL=C.UTF-8");
    }

    @Test
    void options_that_do_not_belong_together_are_refused() {
        for (String line : new String[] {
            "claim",
            "claim key:a --next",
            "claim --next work --type bug",
            "claim key:a --type bug",
            "claim key:a --queue q",
            "claim --next work --under key:a@1",
            "claim key:a --generation x",
            "claim key:a --ttl soon",
            "heartbeat --generation 1",
            "events --follow --limit 3",
            "serve",
            "help nothing",
            "who --url ftp://127.0.0.1"
        }) {
            Ran ran = as("alice", line.split(" "));
            assertThat(ran.exitCode()).as(line).isEqualTo(2);
            assertThat(ran.err()).as(line).startsWith("holdfast: ");
        }
    }

    @Test
    void the_commands_of_the_pool_say_that_there_is_none() {
        for (String[] words : new String[][] {
            {"pool", "status"},
            {"pool", "spawn", "--project", "shop"},
            {"pool", "logs"},
            {"pool", "logs", "codex-r1-0a1b2c3d"},
            {"pool", "drain", "codex-r1-0a1b2c3d"},
            {"pool", "kill", "codex-r1-0a1b2c3d"}
        }) {
            Ran ran = as("alice", words);
            assertThat(ran.exitCode()).isEqualTo(5);
            assertThat(ran.err()).contains("there is no reviewer pool");

            String[] inJson = Arrays.copyOf(words, words.length + 1);
            inJson[words.length] = "--json";
            Ran document = as("alice", inJson);
            assertThat(document.exitCode()).isEqualTo(5);
            assertThat(document.json().text("code")).isEqualTo("bad_state");
            assertThat(document.json().text("error"))
                    .as("one wording, whatever the form")
                    .contains("there is no reviewer pool")
                    .doesNotContain("Add reviewer_pool");
        }
    }

    @Test
    void a_pool_is_looked_after_from_the_command_line(@TempDir Path elsewhere) throws IOException {
        Path config = Files.writeString(
                elsewhere.resolve("config.json"), """
                {"store": {"data": "%s"}, "server": {"port": 0}, "reviewer_pool": {"engine": "command",
                 "workspace_path": "%s", "command": ["sh", "-c", "echo here I am; exec sleep 1000"]}}
                """.formatted(elsewhere.resolve("data"), elsewhere));
        try (Broker pool = Broker.start(Config.of(dev.holdfast.broker.config.ConfigFile.read(config)))) {
            Map<String, String> there = Map.of("HOLDFAST_URL", pool.url());
            assertThat(Ran.command(there, "pool", "logs").err()).contains("no reviewer has been started yet");
            await().until(() -> Ran.command(there, "pool", "spawn").exitCode() == 0);
            String id = Objects.requireNonNull(Ran.command(there, "pool", "status", "--json")
                    .json()
                    .objects("reviewers")
                    .getFirst()
                    .text("id"));
            assertThat(Ran.command(there, "pool", "status").out()).contains("1 active", id, "active");
            await().until(() -> Ran.command(there, "pool", "logs", id).out().contains("here I am"));
            Ran again = Ran.command(there, "pool", "spawn");
            assertThat(again.exitCode()).isEqualTo(7);
            assertThat(again.err()).contains("Spawn cooldown active", "try again in ");
            Ran nobody = Ran.command(there, "pool", "kill", "codex-r9");
            assertThat(nobody.exitCode()).isEqualTo(4);
            assertThat(nobody.err()).contains("codex-r9", "'pool status --all' lists");
            CompletableFuture<Ran> following =
                    CompletableFuture.supplyAsync(() -> Ran.command(there, "pool", "logs", id, "--follow"));
            assertThat(Ran.command(there, "pool", "logs").out()).contains("here I am");
            assertThat(Ran.command(there, "pool", "kill", "command-r1", "--holder", "ann", "--reason", "it only sleeps")
                            .out())
                    .isEqualTo(id + " stopped\n");
            assertThat(Ran.command(there, "events", "--resource", "reviewer:" + id, "--json")
                            .out())
                    .contains("\"ann\"", "it only sleeps");
            assertThat(Ran.command(there, "pool", "logs", "command-r1").out()).contains("here I am");
            assertThat(following.join().out()).contains("here I am", "-- started, process ", "-- stopped: force");
            assertThat(Ran.command(there, "pool", "status").out())
                    .contains("0 active; nothing is pending", "1 has stopped: ")
                    .doesNotContain(id);
            assertThat(Ran.command(there, "pool", "status", "--all").out()).contains(id, "force");
            for (int width : List.of(60, 80, 120)) {
                assertThat(Ran.onTerminal(width, there, "pool", "status", "--all")
                                .out()
                                .lines()
                                .skip(3))
                        .as("at " + width)
                        .isNotEmpty()
                        .allSatisfy(line ->
                                assertThat(Printable.shortened(line, width)).isEqualTo(line))
                        .anyMatch(line -> line.startsWith(id));
            }
        }
    }
}
