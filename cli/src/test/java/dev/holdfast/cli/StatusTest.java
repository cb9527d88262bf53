package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code status}, {@code stop}, {@code logs}, and what {@code who} tells of reserved paths. */
@Timeout(120)
class StatusTest {
    private final Broker broker;
    private final Path state;

    StatusTest(@TempDir Path folder) {
        broker = Broker.start(Config.in(TestSqlite.in(folder.resolve("data"))));
        state = folder.resolve("state");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Ran as(String holder, String... words) {
        return Ran.command(
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", holder, "XDG_STATE_HOME", state.toString()),
                words);
    }

    private Ran done(String holder, String... words) {
        Ran ran = as(holder, words);
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        return ran;
    }

    @Test
    void status_tells_who_one_is_what_one_holds_and_what_waits() {
        done("ann", "claim", "key:mine");
        done("bob", "claim", "key:his");
        String ready = done("ann", "work", "create", "something to do").out().strip();
        String kept = done("ann", "work", "create", "begun by nobody").out().strip();
        done("bob", "work", "claim", kept);
        done("bob", "work", "release", kept, "--generation", "1", "--keep-status");

        assertThat(done("ann", "status").out())
                .contains("broker      " + broker.url(), "you         ann")
                .contains("you hold (1):\n  key:mine, generation 1, ")
                .doesNotContain("key:his")
                .contains("ready to do (1):\n  " + ready + " something to do\n")
                .contains("in progress, held by nobody (1):\n  " + kept + " begun by nobody\n");
        assertThat(done("ann", "status", "--json").json().objects("holds")).hasSize(1);
        assertThat(Ran.command(Map.of("HOLDFAST_URL", "http://127.0.0.1:1"), "status")
                        .exitCode())
                .isEqualTo(ExitCode.BUSY.number());
    }

    @Test
    void who_has_the_same_columns_for_every_holder() {
        done("liz", "claim", "key:short");
        done("max", "claim", "key:" + "long-".repeat(8));
        Map<String, String> environment = Map.of("HOLDFAST_URL", broker.url());
        for (int width : new int[] {60, 80, 120}) {
            assertThat(Ran.onTerminal(width, environment, "who")
                            .out()
                            .lines()
                            .filter(line -> line.contains("RESOURCE")))
                    .hasSizeGreaterThan(1)
                    .containsOnly(Ran.onTerminal(width, environment, "who")
                            .out()
                            .lines()
                            .skip(1)
                            .findFirst()
                            .orElseThrow());
        }
    }

    @Test
    void who_tells_the_paths_of_a_reservation() {
        done("ann", "work", "reserve", "src/parser", "docs/*.md", "--queue", "shop");
        assertThat(done("x", "who", "--holder", "ann", "--kind", "reservation").out())
                .contains("src/parser docs/*.md in shop");
    }

    @Test
    void stop_ends_the_process_that_the_broker_wrote_down_and_no_other() throws IOException, InterruptedException {
        URI address = URI.create(broker.url());
        Path record = Files.createDirectories(state.resolve("holdfast"))
                .resolve("broker-" + address.getHost() + "-" + address.getPort() + ".json");
        Files.deleteIfExists(record);
        assertThat(as("ann", "stop").exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());

        Process process = new ProcessBuilder("sleep", "100").start();
        try {
            Files.writeString(record, record(process.pid(), Instant.now().minusSeconds(3600)));
            Ran reused = as("ann", "stop"); // the number belongs to another process by now
            assertThat(reused.exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
            assertThat(reused.err()).contains("a broker answers at").doesNotContain("no broker is running");
            assertThat(process.isAlive()).isTrue();

            // one that listens on all addresses is found by any of them
            Path all = record.resolveSibling("broker-0.0.0.0-" + address.getPort() + ".json");
            Files.writeString(all, record(process.pid(), Instant.now()));
            assertThat(done("ann", "stop").out())
                    .startsWith("stopped (process " + process.pid() + ", SQLite in /data)");
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(record);
        }
    }

    @Test
    void the_record_of_a_broker_that_has_ended_is_not_shown_for_the_one_that_answers() throws IOException {
        URI address = URI.create(broker.url());
        Path record = Files.createDirectories(state.resolve("holdfast"))
                .resolve("broker-" + address.getHost() + "-" + address.getPort() + ".json");
        Files.writeString(record, record(ProcessHandle.current().pid(), Instant.EPOCH));
        try {
            assertThat(done("ann", "status").out()).doesNotContain("/data");
        } finally {
            Files.delete(record);
        }
    }

    @Test
    void stop_ends_a_broker_of_another_interface_of_this_machine() throws IOException, InterruptedException {
        String host = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(one -> one instanceof Inet4Address && !one.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElse(null);
        assumeTrue(host != null, "this machine has no address but loopback");
        Path record = Files.createDirectories(state.resolve("holdfast")).resolve("broker-0.0.0.0-18999.json");
        Process process = new ProcessBuilder("sleep", "100").start();
        try {
            Files.writeString(record, record(process.pid(), Instant.now()));
            Ran stopped = Ran.command(
                    Map.of("HOLDFAST_URL", "http://" + host + ":18999", "XDG_STATE_HOME", state.toString()), "stop");
            assertThat(stopped.out()).as(stopped.err()).startsWith("stopped (process " + process.pid());
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(record);
        }
    }

    private static String record(long pid, Instant since) {
        return "{\"url\": \"x\", \"pid\": " + pid + ", \"since\": \"" + since + "\", \"data\": \"/data\"}";
    }

    @Test
    void logs_show_the_last_lines_that_a_broker_in_the_background_wrote() throws IOException {
        Path log = Files.createDirectories(state.resolve("holdfast")).resolve("serve.log");
        Files.deleteIfExists(log);
        assertThat(as("ann", "logs").exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
        Files.writeString(log, "one\ntwo\nthree \u001b[31m\n");
        assertThat(done("ann", "logs", "-n", "2").out()).isEqualTo("two\nthree \\u001b[31m\n");
        assertThat(done("ann", "logs").err()).isEmpty();

        Instant now = Instant.now();
        URI url = URI.create(broker.url());
        Path record = Files.writeString(
                log.resolveSibling("broker-" + url.getHost() + "-" + url.getPort() + ".json"),
                record(ProcessHandle.current().pid(), now));
        try {
            Files.setLastModifiedTime(log, FileTime.from(now.minusSeconds(60)));
            assertThat(done("ann", "logs").err()).contains("from an earlier broker", "the terminal it was started in");
        } finally {
            Files.delete(record);
        }
    }

    @Test
    void status_is_about_the_repository_one_is_in_and_knows_a_person_by_git(@TempDir Path place) throws Exception {
        Map<String, String> zoe = Map.of(
                "HOLDFAST_URL", broker.url(), "HOME", place.resolve("home").toString());
        Path here = repository(place, "here");
        Path there = repository(place, "there");
        Ran.in(there, zoe, "", "work", "create", "of the other repository");
        String kept =
                Ran.in(there, zoe, "", "work", "create", "kept there").out().strip();
        Ran.in(there, zoe, "", "work", "claim", kept);
        Ran.in(there, zoe, "", "work", "release", kept, "--keep-status");
        Ran.in(here, zoe, "", "work", "create", "of this one");

        assertThat(Ran.in(here, zoe, "", "status").out())
                .contains("repository  here\n", "you         Zo\u00eb Example (from git;")
                .contains("of this one")
                .doesNotContain("of the other repository", "kept there");
        assertThat(Ran.in(there, zoe, "", "status").out()).contains("kept there", "of the other repository");

        String review =
                String.valueOf(Ran.in(here, zoe, "", "review", "create", "a plan", "--description", "x", "--json")
                        .json()
                        .text("review_id"));
        assertThat(Ran.in(here, zoe, "", "review", "show", review).out()).contains("proposed by Zo\u00eb Example");
        assertThat(Ran.in(here, zoe, "", "status").out())
                .contains("proposed by you, waiting for a reviewer (1):\n  " + review.substring(0, 8))
                .doesNotContain("to review (");
        assertThat(Ran.in(here, zoe, "", "review", "claim", review).err()).contains("Zo\u00eb Example proposed it");
        assertThat(Ran.in(here, zoe, "", "review", "claim", review, "--holder", "Bob B")
                        .exitCode())
                .isZero();

        Ran asked =
                Ran.in(here, zoe, "", "review", "verdict", review, "changes", "--reason", "why?", "--holder", "Bob B");
        assertThat(asked.exitCode()).as(asked.err()).isZero();
        assertThat(Ran.in(here, zoe, "", "status").out())
                .as("it is hers by the name that git has for her")
                .contains("waits for you (1):\n  " + review.substring(0, 8)
                        + " changes_requested, propose the next round  a plan");
    }

    @Test
    void a_person_has_the_same_name_in_a_linked_working_tree_unless_it_has_its_own(@TempDir Path place)
            throws Exception {
        Map<String, String> zoe = Map.of(
                "HOLDFAST_URL", broker.url(), "HOME", place.resolve("home").toString());
        SampleRepository made = SampleRepository.make(place, "main", broker.url());
        made.git("config", "user.name", "Zo\u00eb Example");
        Path linked = place.resolve("linked");
        made.git("worktree", "add", "-q", "-b", "side", linked.toString());
        assertThat(Ran.in(linked, zoe, "", "status").out()).contains("you         Zo\u00eb Example (from git;");

        made.git("config", "extensions.worktreeConfig", "true");
        made.git("-C", linked.toString(), "config", "--worktree", "user.name", "Zo\u00eb's agent");
        assertThat(Ran.in(linked, zoe, "", "status").out()).contains("you         Zo\u00eb's agent (from git;");
        assertThat(Ran.in(made.folder, zoe, "", "status").out()).contains("you         Zo\u00eb Example (from git;");
    }

    @Test
    void status_says_why_it_is_about_no_repository(@TempDir Path place) throws Exception {
        Map<String, String> ann = Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "ann");
        assertThat(Ran.in(place, ann, "", "status").out())
                .contains("repository  none: " + place + " is not in a git repository. Showing every repository.");
        SampleRepository made = SampleRepository.make(place, "own", broker.url());
        made.git("clone", "-q", "--bare", ".", place.resolve("bare.git").toString());
        Path inside = place.resolve("bare.git/hooks");
        assertThat(Ran.in(Files.createDirectories(inside), ann, "", "status").out())
                .contains("repository  none: " + place.resolve("bare.git")
                        + " is a bare repository without a working tree; run this in a clone or working tree of it.");
        assertThat(Ran.in(inside, ann, "", "work", "check", "a.txt").err())
                .contains("--queue NAME", place.resolve("bare.git") + " is a bare repository");
        JsonObject document = Ran.in(inside, ann, "", "status", "--json").json();
        assertThat(document.text("no_repository")).contains("is a bare repository");
        assertThat(document.get("repository")).isNull();
        assertThat(Ran.in(made.folder, ann, "", "status", "--json").json().has("no_repository"))
                .isFalse();
    }

    @Test
    void status_wraps_at_spaces_below_where_a_value_begins() {
        Map<String, String> ann = Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "ann");
        assertThat(Ran.onTerminal(60, ann, "status").out()).contains("""
                repository  none: / is not in a git repository. Showing
                            every repository.
                """);
    }

    private Path repository(Path parent, String name) throws Exception {
        SampleRepository made = SampleRepository.make(parent, name, broker.url());
        made.git("config", "user.name", "Zo\u00eb Example");
        return made.folder;
    }

    @Test
    void refusals_name_options_as_they_were_typed() {
        assertThat(as("ann", "task", "list", "--state", "bogus").err())
                .startsWith("holdfast: --state must be one of open");
        assertThat(as("ann", "work", "list", "--status", "opn").err())
                .startsWith("holdfast: --status must be one of open");
        assertThat(as("ann", "work", "create", "x", "--priority", "9").err())
                .startsWith("holdfast: --priority must be from 0 to 4");
        assertThat(as("ann", "work", "update", "x", "-p", "1").err())
                .startsWith("holdfast: unknown option -p; did you mean --priority?");
        assertThat(as("ann", "task", "watch").err()).startsWith("holdfast: TASK is missing: the task\n");
        assertThat(as("ann", "work", "update", "--help").out()).doesNotContain("Default: 2", "Default: task");
        Ran unknown = as("ann", "call", "claim_nxt");
        assertThat(unknown.err()).isEqualTo("holdfast: unknown verb 'claim_nxt'; did you mean claim_next?\n");
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.INVALID.number());
    }

    @Test
    void refusals_are_in_the_words_of_the_command_line() {
        String id = String.valueOf(done("ann", "review", "create", "a plan", "--description", "x", "--json")
                .json()
                .text("review_id"));
        Ran early = as("bob", "review", "verdict", id, "approve", "--generation", "0");
        assertThat(early.err()).doesNotContain("Invalid transition", "claim_generation");
        assertThat(as("ann", "review", "message", id, "hello").err())
                .isEqualTo("holdfast: nobody has claimed this review yet; you can write once a reviewer has\n");
        assertThat(as("ann", "review", "show", "e1").err()).contains("needs at least 4 characters");
        assertThat(as("ann", "events", "-n", "0").err()).startsWith("holdfast: -n must be at least 1");
        assertThat(as("ann", "review", "close", id).err())
                .isEqualTo("holdfast: the review is pending: only an approved one can be closed\n");
        done("bob", "review", "claim", id);
        assertThat(as("bob", "review", "claim", id).err())
                .startsWith("holdfast: you have claimed it already, until 20");
        assertThat(as("carl", "review", "claim", id).err())
                .startsWith("holdfast: bob has claimed the review, until 20");
        Ran others = as("carl", "review", "release", id);
        assertThat(others.err()).isEqualTo("holdfast: you do not hold this review; bob does\n");
        assertThat(others.exitCode()).isEqualTo(ExitCode.LOST.number());
        assertThat(as("bob", "review", "next", "--project", "none").out())
                .isEqualTo("nothing to review\nyou hold review " + id.substring(0, 8)
                        + "; continue with it: holdfast review show " + id.substring(0, 8) + "\n");
        assertThat(as("ann", "claim", "key:long", "--ttl", "9999h").err())
                .startsWith("holdfast: --ttl must be from 1s to ")
                .contains("not 416d 15h");
    }
}
