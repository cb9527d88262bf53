package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.git.RepositoryName;
import dev.holdfast.repository.RepositoryKey;
import dev.holdfast.testing.TestRepository;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people type about reviews, against a broker that runs. Each test has a project of its own. */
class ReviewCommandsTest extends OnABroker {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+\tb\n";
    private static final String OTHER = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+c\n";

    private final Path folder;

    ReviewCommandsTest(@TempDir Path folder) throws Exception {
        super(folder.resolve("data"), folder);
        this.folder = folder;
        TestRepository repository = TestRepository.in(folder);
        repository.write("x", "a\n");
        repository.commitAll("x");
        Files.writeString(folder.resolve("change.diff"), DIFF);
        Files.writeString(folder.resolve("other.diff"), OTHER);
    }

    private String create(String project) {
        Ran ran = as("ann", "review", "create", "add b", "--diff", change(), "--project", project, "--json");
        assertThat(ran.exitCode()).as(ran.out()).isZero();
        return String.valueOf(ran.json().text("review_id"));
    }

    private String change() {
        return folder.resolve("change.diff").toString();
    }

    @Test
    void a_person_does_not_review_its_own_change() {
        String id = create("own");
        Ran refused = as("ann", "review", "claim", id);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED.number());
        assertThat(refused.err()).contains("ann proposed it, and you are using the same name. Someone else must");
        assertThat(as("ann", "review", "next", "--project", "own").out())
                .startsWith("nothing to review. You can't claim review " + id + ": ann proposed it");
        assertThat(as("bob", "review", "claim", id).exitCode()).isZero();
        assertThat(as("bob", "review", "show", id).out()).contains("proposed by ann");
    }

    @Test
    void a_proposer_is_named_once_and_told_that_an_answer_makes_the_review_pending_again() {
        String id = create("again");
        assertThat(as("bob", "review", "claim", id).exitCode()).isZero();
        assertThat(as("bob", "review", "show", id).out().lines().filter(line -> line.contains("by ann")))
                .containsExactly("  proposed by ann (by name only)");
        assertThat(as("bob", "review", "verdict", id, "changes", "--reason", "why?")
                        .exitCode())
                .isZero();
        assertThat(as("ann", "review", "message", id, "because").out())
                .isEqualTo("posted as proposer; the review is pending again, with the same content\n");
        assertThat(as("x", "review", "list", "--status", "pending", "--project", "again")
                        .out())
                .contains(id.substring(0, 8));
    }

    @Test
    void a_line_end_in_a_files_name_does_not_look_like_a_space() throws IOException {
        String diff = """
                diff --git "a/new\\nline.txt" "b/new\\nline.txt"
                new file mode 100644
                --- /dev/null
                +++ "b/new\\nline.txt"
                @@ -0,0 +1 @@
                +x
                """;
        Path file = Files.writeString(folder.resolve("named.diff"), diff);
        String id = String.valueOf(
                as("ann", "review", "create", "n", "--diff", file.toString(), "--project", "names", "--json")
                        .json()
                        .text("review_id"));
        as("bob", "review", "claim", id);
        Ran judged = as("bob", "review", "verdict", id, "changes", "--finding", "new\nline.txt:1:must_fix:no");
        assertThat(judged.exitCode()).as(judged.err()).isZero();
        assertThat(as("ann", "review", "show", id).out())
                .contains("  create new\\u000aline.txt  +1 -0\n")
                .doesNotContain("new line.txt");
        assertThat(as("ann", "review", "show", id, "--no-diff").out())
                .contains("new\\u000aline.txt:1")
                .doesNotContain("new line.txt");
    }

    @Test
    void a_review_is_as_urgent_as_its_proposer_says_and_becomes_more_so_with_a_round() {
        String usual = create("urgent");
        Ran low =
                as("ann", "review", "create", "low", "--description", "x", "--project", "urgent", "--priority", "low");
        Ran high = as(
                "ann", "review", "create", "hi", "--description", "x", "--project", "urgent", "--priority", "critical");
        assertThat(low.exitCode() + high.exitCode()).as(low.err() + high.err()).isZero();
        assertThat(as("bob", "review", "list", "--project", "urgent")
                        .out()
                        .lines()
                        .skip(1))
                .extracting(line -> line.split(" +")[2])
                .containsExactly("critical", "normal", "low");

        as("bob", "review", "claim", usual);
        as("bob", "review", "verdict", usual, "changes", "--reason", "no test");
        as("ann", "review", "create", "b", "--description", "y", "--round-of", usual, "--priority", "low");
        assertThat(as("bob", "review", "next", "--project", "urgent").out()).contains("hi");
        assertThat(as("bob", "review", "show", usual).out()).contains("low");

        Ran wrong = as("ann", "review", "create", "x", "--description", "x", "--priority", "high");
        assertThat(wrong.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(wrong.err()).contains("--priority must be one of", "critical", "normal", "low", "'high'");
    }

    @Test
    void a_project_has_one_name_however_it_was_written() {
        as("ann", "review", "create", "x", "--description", "x", "--project", "The-Shop");
        assertThat(as("ann", "review", "list", "--project", "the shop").out())
                .contains(" theshop ")
                .doesNotContain("The-Shop");
        for (String written : List.of(
                "The-Shop",
                "/home/ann/The Shop/",
                "C:\\src\\shop",
                "~/shop",
                "\uff33hop",
                "商店-1",
                "...",
                " x ",
                "a/b")) {
            assertThat(RepositoryName.key(written)).isEqualTo(RepositoryKey.of(written));
        }
    }

    @Test
    void two_people_take_a_change_through_two_rounds() {
        Ran created = Ran.with(
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "ann"),
                DIFF,
                "review",
                "create",
                "add b",
                "--diff",
                "-",
                "--project",
                "loop",
                "--description",
                "so that\nb is there",
                "--category",
                "code_change");
        assertThat(created.out())
                .matches("review \\S+, round 1, \\S+\nwait for its verdict: holdfast review wait \\S+\n");
        String id = created.out().split("[ ,]")[1];
        assertThat(as("bob", "review", "list", "--project", "Loop").out())
                .contains(id.substring(0, 8), "pending", "normal", "add b");

        Ran next = as("bob", "review", "next", "--project", "loop");
        assertThat(next.out()).contains("claimed " + id.substring(0, 8) + ", generation 1", "\n+\tb\n");
        Ran shown = as("bob", "review", "show", id);
        assertThat(shown.out())
                .contains("claimed by bob, generation 1", "  b is there", "modify x  +1 -1", "\n+\tb\n")
                .contains("  read by bob, generation 1: all of it, " + DIFF.length() + " characters\n")
                .doesNotContain("\u001b");
        assertThat(as("bob", "review", "message", id, "why b?").out()).isEqualTo("posted as reviewer\n");
        assertThat(as("ann", "review", "message", id, "because").out()).isEqualTo("posted as proposer\n");
        assertThat(as("ann", "review", "message", id, "really").exitCode()).isEqualTo(5);
        assertThat(as("bob", "review", "discussion", id).out())
                .contains("reviewer, round 1, ", "  why b?", "  because");
        assertThat(as("bob", "review", "verdict", id, "comment", "--reason", "hm")
                        .out())
                .isEqualTo("commented; still claimed\n");
        assertThat(as(
                                "bob",
                                "review",
                                "verdict",
                                id,
                                "changes",
                                "--reason",
                                "rather c",
                                "--counter-patch",
                                folder.resolve("other.diff").toString())
                        .out())
                .isEqualTo("changes_requested\n");

        assertThat(as("ann", "review", "show", id).out())
                .contains("changes_requested by bob, round 1, ", "  rather c", "counter-patch: pending");
        assertThat(as("ann", "review", "accept", id).out())
                .contains(
                        "counter-patch accepted; the review is pending again\n",
                        " review show " + id.substring(0, 8) + " --patch | git apply --index\n");
        assertThat(as("x", "review", "list", "--status", "pending").out()).contains(id.substring(0, 8));
        assertThat(as("ann", "review", "show", id, "--patch").out()).isEqualTo(OTHER);
        assertThat(as("ann", "review", "reject", id).exitCode()).isEqualTo(5);
        assertThat(as(
                                "ann",
                                "review",
                                "create",
                                "add c",
                                "--diff",
                                folder.resolve("other.diff").toString(),
                                "--round-of",
                                id)
                        .out())
                .contains("round 2");
        assertThat(as("bob", "review", "claim", id).exitCode()).isZero();
        assertThat(as("bob", "review", "show", id).out())
                .as("the description of the round before")
                .contains("  b is there");
        assertThat(as("bob", "review", "verdict", id, "approve").out()).isEqualTo("approved\n");
        assertThat(as("ann", "review", "show", id, "--no-diff").out())
                .containsPattern("approved by bob, round 2, \\S+ \\S+, all of it read\n")
                .doesNotContain("\n+c\n");
        assertThat(as("ann", "review", "close", id).out()).isEqualTo("closed\n");
        assertThat(as("ann", "review", "show", id, "--round", "1", "--diff").out())
                .contains("of round 1", "+c");
        assertThat(as("ann", "review", "timeline", id).out())
                .contains(
                        "closed: add c",
                        "review_created by ann: pending",
                        "verdict_submitted by bob: claimed -> approved",
                        "review_closed by ann: approved -> closed");
        assertThat(as("ann", "review", "audit", id).out()).contains("verdict_submitted", "\"reason\":\"rather c\"");
        assertThat(as("ann", "review", "feed", "--project", "loop").out())
                .contains(id.substring(0, 8), "closed", "because");
        assertThat(as("ann", "review", "stats", "--project", "loop").out())
                .contains("1 review\n", "closed 1", "approved: 100.0 % of those with a verdict")
                .containsPattern("time to first verdict: \\d+ s on average");
    }

    @Test
    void exit_codes_tell_what_is_wrong() {
        String id = create("codes");
        assertThat(as("bob", "review", "verdict", id, "approve").exitCode()).isEqualTo(5);
        as("bob", "review", "claim", id);

        assertThat(as("carl", "review", "claim", id).exitCode()).isEqualTo(3);
        assertThat(as("carl", "review", "verdict", id, "approve").exitCode()).isEqualTo(6);
        assertThat(as("bob", "review", "verdict", id, "approve", "--generation", "7")
                        .exitCode())
                .isEqualTo(6);
        assertThat(as("carl", "review", "release", id).exitCode()).isEqualTo(6);
        assertThat(as("ann", "review", "close", id).exitCode()).isEqualTo(5);
        for (String command :
                List.of("show", "claim", "discussion", "timeline", "audit", "close", "accept", "release")) {
            assertThat(as("bob", "review", command, "nope").exitCode())
                    .as(command)
                    .isEqualTo(4);
        }
        assertThat(as("bob", "review", "show", id, "--round", "9").exitCode()).isEqualTo(4);
        assertThat(as("bob", "review", "verdict", id, "perhaps").exitCode()).isEqualTo(2);
        assertThat(as("bob", "review", "verdict", id, "changes").exitCode()).isEqualTo(2);
        assertThat(as("bob", "review", "create", "x").exitCode()).isEqualTo(2);
        assertThat(as("bob", "review", "create", "x", "--diff", "/nowhere").exitCode())
                .isEqualTo(2);
        assertThat(as("bob", "review", "create", "x", "--staged", "--range", "A..B")
                        .exitCode())
                .isEqualTo(2);
        assertThat(as("bob", "review", "withdraw", id).exitCode()).isEqualTo(2);
        assertThat(as("bob", "review", "list", "--wait", "--status", "closed").exitCode())
                .isEqualTo(2);
        assertThat(Ran.command(Map.of("HOLDFAST_URL", "http://127.0.0.1:1"), "review", "list")
                        .exitCode())
                .isEqualTo(7);
    }

    @Test
    void a_verdict_counts_only_for_what_its_giver_was_shown() {
        String id = create("seen");
        as("bob", "review", "claim", id);
        as(
                "bob",
                "review",
                "verdict",
                id,
                "comment",
                "--reason",
                "rather c",
                "--counter-patch",
                folder.resolve("other.diff").toString());
        as("ann", "review", "accept", id);

        assertThat(as("bob", "review", "verdict", id, "approve").exitCode()).isEqualTo(6);
        assertThat(as("carl", "review", "show", id).exitCode()).isZero(); // which is not bob
        assertThat(as("bob", "review", "verdict", id, "approve").err())
                .contains("Stale revision", "read it again, or name the revision that you judge with --revision")
                .endsWith("read it: holdfast review show " + id + "\n");
        as("bob", "review", "show", id);
        assertThat(as("bob", "review", "verdict", id, "approve").exitCode()).isZero();
    }

    @Test
    void who_has_not_read_it_is_told_how_and_then_approves_without_more_ado() {
        String id = create("unread");
        as("bob", "review", "claim", id);
        Ran refused = as("bob", "review", "verdict", id, "approve");
        assertThat(refused.exitCode()).isEqualTo(5);
        assertThat(refused.err())
                .contains("holdfast: not read yet: bob was shown nothing of revision r")
                .doesNotContain("next_offset", "caller_id", "--holder")
                .endsWith("read it: holdfast review show " + id + "\n");
        assertThat(as("bob", "review", "verdict", id, "approve", "--json")
                        .json()
                        .text("code"))
                .isEqualTo("unread");
        assertThat(as("bob", "review", "show", id, "--round", "1", "--json").exitCode())
                .as("a document has the diff in it, so it counts")
                .isZero();
        assertThat(as("bob", "review", "verdict", id, "approve").out()).isEqualTo("approved\n");
    }

    @Test
    void who_claims_a_review_in_a_typed_name_is_told_to_read_it_in_that_name() {
        String id = create("typed");
        String advice = "holdfast review show %s --holder 'Bob B'";
        String show = String.format(advice, id.substring(0, 8));
        assertThat(as("ann", "review", "claim", id, "--holder", "Bob B").out()).endsWith("read it: " + show + "\n");
        assertThat(as("ann", "review", "claim", id, "--holder", "Bob B").err()).contains("Read it: " + show);
        assertThat(as("ann", "review", "verdict", id, "approve", "--holder", "Bob B")
                        .err())
                .endsWith("read it: " + String.format(advice, id) + "\n");
    }

    @Test
    void of_a_text_the_claim_shows_all_there_is_to_read() {
        Ran created =
                as("ann", "review", "create", "a plan", "--description", "first this,\nthen that", "--project", "text");
        assertThat(created.exitCode()).as(created.err()).isZero();
        String id = created.out().split("[ ,]")[1];
        assertThat(as("bob", "review", "claim", id).out()).contains("  first this,\n  then that\n");
        assertThat(as("bob", "review", "verdict", id, "approve").out()).isEqualTo("approved\n");
    }

    @Test
    void a_released_review_is_pending_again_and_can_be_withdrawn() {
        String id = create("release");
        as("bob", "review", "claim", id);

        assertThat(as("bob", "review", "release", id, "--note", "no time").out())
                .isEqualTo("released review " + id.substring(0, 8) + "\n");
        assertThat(as("bob", "review", "show", id, "--json")
                        .json()
                        .object("status")
                        .text("status"))
                .isEqualTo("pending");
        assertThat(as("ann", "review", "withdraw", id, "--reason", "not needed").out())
                .isEqualTo("withdrawn\n");
    }

    @Test
    void a_diff_that_does_not_apply_is_refused_with_the_reason() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.diff"), DIFF.replace("-a\n", "-z\n"));

        Ran ran = as("ann", "review", "create", "x", "--diff", bad.toString(), "--project", "bad");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("holdfast: the diff does not apply:\n")
                .contains("x: patch does not apply", "make the diff from that commit")
                .doesNotContain("as base"); // there is no option of that name
        assertThat(as("ann", "review", "create", "x", "--diff", bad.toString(), "--project", "bad", "--skip-check")
                        .exitCode())
                .isZero();
    }

    @Test
    void waiting_ends_with_the_review_that_comes() throws Exception {
        CompletableFuture<Ran> waiting =
                CompletableFuture.supplyAsync(() -> as("bob", "review", "next", "--project", "wait", "--wait", "50s"));
        CompletableFuture<Ran> listing =
                CompletableFuture.supplyAsync(() -> as("bob", "review", "list", "--project", "wait2", "--wait"));
        create("wait2");
        String id = create("wait");

        assertThat(waiting.get(60, TimeUnit.SECONDS).out()).contains("claimed " + id.substring(0, 8));
        assertThat(listing.get(60, TimeUnit.SECONDS).out()).contains("wait2");
        assertThat(as("bob", "review", "next", "--project", "wait").out())
                .startsWith("nothing to review\n")
                .contains("you hold review " + id.substring(0, 8));
        assertThat(as("bob", "review", "next", "--project", "wait", "--json")
                        .json()
                        .get("review_id"))
                .isNull();
    }

    @Test
    void lists_come_in_pieces() {
        create("pieces");
        create("pieces");

        Ran first = as("bob", "review", "list", "--project", "pieces", "--limit", "1");
        assertThat(first.err()).contains("there is more: add --cursor");
        String cursor = first.err().split("'")[1];
        Ran second = as("bob", "review", "list", "--project", "pieces", "--cursor", cursor);
        assertThat(second.out().lines()).hasSize(2);
        assertThat(second.out())
                .doesNotContain(first.out().lines().toList().get(1).split(" ")[0]);
        assertThat(as("bob", "review", "list", "--project", "empty").out()).isEqualTo("no reviews\n");
    }

    @Test
    void colours_are_for_terminals_and_others_texts_cannot_make_any() {
        Ran created = Ran.with(
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "ann"),
                "",
                "review",
                "create",
                "red \u001b[31m herring",
                "--description",
                "\u001b]0;title\u0007",
                "--diff",
                change(),
                "--project",
                "colours",
                "--json");
        String id = String.valueOf(created.json().text("review_id"));

        String onTerminal = onTerminal(Map.of("HOLDFAST_URL", broker.url()), "review", "show", id, "--diff");
        assertThat(onTerminal).contains("\u001b[32m+\tb\u001b[0m", "\u001b[33mpending\u001b[0m");
        String plain =
                onTerminal(Map.of("HOLDFAST_URL", broker.url(), "NO_COLOR", "1"), "review", "show", id, "--diff");
        assertThat(plain)
                .contains("red \\u001b[31m herring", "\\u001b]0;title\\u0007")
                .doesNotContain("\u001b");
    }

    @Test
    void what_is_staged_is_proposed_as_the_gate_will_see_it() throws Exception {
        Path repository = Files.createDirectory(folder.resolve("Staged Shop"));
        for (List<String> command : List.of(
                List.of("git", "init", "-q"), List.of("sh", "-c", "echo a > a.txt"), List.of("git", "add", "a.txt"))) {
            assertThat(new ProcessBuilder(command)
                            .directory(repository.toFile())
                            .start()
                            .waitFor())
                    .isZero();
        }

        JsonObject created = inProcess(repository, "review", "create", "add a", "--staged", "--json");
        String id = String.valueOf(created.text("review_id"));
        assertThat(created.text("project")).isEqualTo("stagedshop");
        as("bob", "review", "claim", id);
        as("bob", "review", "show", id);
        as("bob", "review", "verdict", id, "approve");

        assertThat(inProcess(repository, "gate", "--json").get("approved")).isEqualTo(true);
    }

    private JsonObject inProcess(Path where, String... words) throws Exception {
        List<String> command = Programs.commandLine();
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(where.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("HOLDFAST_URL", broker.url());
        builder.environment().put("HOLDFAST_AGENT", "ann");
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return JsonObject.of(Json.read(text));
    }

    private static String onTerminal(Map<String, String> environment, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Shell shell = new Shell(
                environment,
                new ByteArrayInputStream(new byte[0]),
                stream,
                stream,
                () -> 100,
                InstantSource.system(),
                Path.of("/"));
        assertThat(Main.run(shell, List.of(words))).isEqualTo(ExitCode.DONE);
        return out.toString(StandardCharsets.UTF_8);
    }
}
