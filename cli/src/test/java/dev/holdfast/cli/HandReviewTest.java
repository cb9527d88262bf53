package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.testing.TestRepository;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole review by hand: findings at lines, suggestions, resolving, waiving, and what each side sees. */
class HandReviewTest extends OnABroker {
    private static final String DIFF = """
            --- a/src/a.py
            +++ b/src/a.py
            @@ -1,3 +1,4 @@
             def total(cart):
            -    return cart.sum
            +    sum = cart.sum
            +    return sum
             # end
            """;

    private final Path folder;

    HandReviewTest(@TempDir Path folder) throws Exception {
        super(folder.resolve("data"), folder);
        this.folder = folder;
        TestRepository repository = TestRepository.in(folder);
        Files.createDirectories(folder.resolve("src"));
        repository.write("src/a.py", "def total(cart):\n    return cart.sum\n# end\n");
        repository.commitAll("a");
        Files.writeString(folder.resolve("change.diff"), DIFF);
    }

    private Map<String, String> environment(String holder) {
        return Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", holder);
    }

    private Ran done(String holder, String... words) {
        Ran ran = as(holder, words);
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        return ran;
    }

    private String create(String project) {
        return String.valueOf(done(
                        "ann",
                        "review",
                        "create",
                        "total",
                        "--diff",
                        folder.resolve("change.diff").toString(),
                        "--project",
                        project,
                        "--json")
                .json()
                .text("review_id"));
    }

    @Test
    void a_finding_can_be_about_several_lines() {
        String id = create("ranges");
        done("bob", "review", "next", "--project", "ranges");
        done("bob", "review", "verdict", id, "changes", "--finding", "src/a.py:1-2:should_fix:make this one line");

        assertThat(done("bob", "review", "show", id).out())
                .contains("f1  should_fix  open  by bob, round 1, lines 1-2");
        assertThat(as("bob", "review", "verdict", id, "comment", "--finding", "src/a.py:2-1:note:no")
                        .err())
                .isNotEmpty();
    }

    @Test
    void findings_are_raised_at_lines_and_shown_beside_them_with_suggestions() {
        String id = create("raised");
        assertThat(done("bob", "review", "next", "--project", "raised").out())
                .startsWith("claimed " + id.substring(0, 8) + ", generation 1")
                .contains("+    sum = cart.sum")
                .contains("read by bob, generation 1: all of it");

        assertThat(done(
                                "bob",
                                "review",
                                "verdict",
                                id,
                                "changes",
                                "--finding",
                                "src/a.py:2:must_fix:sum hides a builtin: rename it",
                                "--suggest",
                                "src/a.py:2=    total = cart.sum",
                                "--finding",
                                "src/a.py:2:old:note:this was fine")
                        .out())
                .isEqualTo("changes_requested, findings f1, f2\n");

        assertThat(done("ann", "review", "show", id).out()).contains("""
                -    return cart.sum
                    │ f2  note  open  by bob, round 1
                    │ this was fine
                +    sum = cart.sum
                    │ f1  must_fix  open  by bob, round 1
                    │ sum hides a builtin: rename it
                    │ suggestion:
                    │       total = cart.sum
                +    return sum
                """);
        assertThat(as("ann", "review", "wait", id).exitCode()).isEqualTo(ExitCode.NOT_APPROVED.number());
        Ran painted = Ran.onTerminal(80, environment("ann"), "review", "show", id);
        assertThat(painted.out()).contains("\u001b[32m+    return sum\u001b[0m");
    }

    @Test
    void a_finding_stands_at_its_line_also_in_a_file_whose_name_git_quotes() throws IOException {
        Path diff = Files.writeString(folder.resolve("quoted.diff"), """
                diff --git "a/src/l\\303\\244den \\"1\\".py" "b/src/l\\303\\244den \\"1\\".py"
                new file mode 100644
                --- /dev/null
                +++ "b/src/l\\303\\244den \\"1\\".py"
                @@ -0,0 +1,2 @@
                +one
                +two
                """);
        String id = String.valueOf(
                done("ann", "review", "create", "x", "--diff", diff.toString(), "--project", "quoted", "--json")
                        .json()
                        .text("id"));
        done("bob", "review", "next", "--project", "quoted");
        done("bob", "review", "verdict", id, "changes", "--finding", "src/läden \"1\".py:1:must_fix:say more");
        assertThat(done("ann", "review", "show", id).out())
                .contains("+one\n    │ f1  must_fix", "│ say more\n+two")
                .contains("diff --git \"a/src/läden \\\"1\\\".py\"", "+++ \"b/src/läden \\\"1\\\".py\"\n");
    }

    @Test
    void findings_of_an_earlier_round_are_resolved_and_waived() {
        String id = create("settled");
        done("bob", "review", "claim", id);
        done("bob", "review", "show", id);
        done(
                "bob",
                "review",
                "verdict",
                id,
                "changes",
                "--finding",
                "src/a.py:2:must_fix:rename it",
                "--finding",
                "src/a.py:3:should_fix:return it at once");
        done(
                "ann",
                "review",
                "create",
                "total, again",
                "--diff",
                folder.resolve("change.diff").toString(),
                "--project",
                "settled",
                "--round-of",
                id.substring(0, 8));
        done("carol", "review", "next", "--project", "settled");

        Ran blocked = as("carol", "review", "verdict", id, "approve");
        assertThat(blocked.exitCode()).isEqualTo(ExitCode.NOT_CLAIMABLE.number());
        assertThat(blocked.err())
                .contains("resolves it: --resolve f1; any other reviewer waives it: --waive f1=REASON. Otherwise");
        assertThat(done("carol", "review", "verdict", id, "approve", "--waive", "f1=a local name")
                        .out())
                .isEqualTo("approved\n");
        assertThat(done("ann", "review", "show", id, "--no-diff").out())
                .contains("f1  must_fix  waived  by bob, round 1, src/a.py:2")
                .contains("waived by carol: a local name")
                .doesNotContain("+    return sum");
        assertThat(done("ann", "review", "wait", id).out()).startsWith("approved\n");
    }

    @Test
    void an_editor_opens_with_a_template_when_nothing_was_said() throws IOException {
        String id = create("edited");
        done("bob", "review", "claim", id);
        Path seen = folder.resolve("template.txt");
        Path editor = folder.resolve("editor");
        Files.writeString(editor, """
                #!/bin/sh
                cp "$2" '%s'
                cat > "$2" <<END
                please rename it
                finding src/a.py:2:must_fix:hides a builtin
                > total = cart.sum
                # not said
                END
                """.formatted(seen));
        Files.setPosixFilePermissions(editor, PosixFilePermissions.fromString("rwx------"));
        Map<String, String> environment = new HashMap<>(environment("bob"));
        environment.put("EDITOR", editor + " --wait");
        environment.put("PATH", "/usr/bin:/bin");

        Ran written = Ran.onTerminal(80, environment, "review", "verdict", id, "changes");
        assertThat(written.exitCode()).as(written.err()).isZero();
        assertThat(written.out()).contains("findings f1");
        assertThat(Files.readString(seen))
                .contains("# Your verdict on " + id.substring(0, 8) + ": changes_requested")
                .contains("#     2 +    sum = cart.sum")
                .contains("# finding src/a.py:12:must_fix".replace("# f", "#   f"));
        assertThat(done("ann", "review", "show", id).out())
                .contains("please rename it")
                .contains("│   total = cart.sum")
                .doesNotContain("not said");
    }

    @Test
    void what_was_written_in_the_editor_is_kept_when_the_broker_does_not_take_it() throws Exception {
        Path editor = folder.resolve("editor of an hour");
        Path begun = folder.resolve("begun");
        Files.writeString(editor, """
                #!/bin/sh
                echo 'an hour of work' > "$1"
                : > '%s'
                while [ -e '%s' ]; do sleep 0.02; done
                """.formatted(begun, folder.resolve("wait")));
        Files.setPosixFilePermissions(editor, PosixFilePermissions.fromString("rwx------"));
        String id = create("kept");
        done("bob", "review", "claim", id);
        Ran refused = Ran.onTerminal(80, editing(editor, broker.url()), "review", "verdict", id, "changes");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.LOST.number());
        assertThat(refused.err()).contains("you do not hold this review; bob does");
        assertThat(kept(refused)).isEqualTo("an hour of work\n");

        Broker passing = Broker.start(Config.in(TestSqlite.in(folder.resolve("passing"))));
        String url = passing.url();
        String other = String.valueOf(
                Ran.command(Map.of("HOLDFAST_URL", url), "review", "create", "x", "--description", "x", "--json")
                        .json()
                        .text("review_id"));
        Files.createFile(folder.resolve("wait"));
        Files.delete(begun);
        CompletableFuture<Ran> written = CompletableFuture.supplyAsync(
                () -> Ran.onTerminal(80, editing(editor, url), "review", "verdict", other, "changes"));
        await().until(() -> Files.exists(begun));
        passing.close();
        Files.delete(folder.resolve("wait"));
        Ran unreachable = written.get(60, TimeUnit.SECONDS);
        assertThat(unreachable.exitCode()).isEqualTo(ExitCode.BUSY.number());
        assertThat(kept(unreachable)).isEqualTo("an hour of work\n");
    }

    private static Map<String, String> editing(Path editor, String url) {
        return Map.of(
                "HOLDFAST_URL", url, "HOLDFAST_AGENT", "carl", "PATH", "/usr/bin:/bin", "EDITOR", "'" + editor + "'");
    }

    private static String kept(Ran ran) throws IOException {
        assertThat(ran.err()).contains("holdfast: your text is kept in ");
        String after = ran.err().split("your text is kept in ", 2)[1];
        Path file = Path.of(after.lines().findFirst().orElseThrow());
        String text = Files.readString(file);
        Files.delete(file);
        return text;
    }

    @Test
    void nothing_is_said_without_a_terminal_a_reason_or_a_finding() {
        String id = create("silent");
        done("bob", "review", "claim", id);
        done("bob", "review", "show", id);
        Ran refused = as("bob", "review", "verdict", id, "changes");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(refused.err()).contains("--reason TEXT or --finding PATH:LINE:SEVERITY:MESSAGE is required");
        assertThat(as("bob", "review", "verdict", id, "changes", "--finding", "src/a.py:must_fix:x")
                        .err())
                .contains("--finding must be PATH:LINE:SEVERITY:MESSAGE");
        assertThat(as("bob", "review", "verdict", id, "changes", "--reason", "x", "--suggest", "src/a.py:2=y")
                        .err())
                .contains("--suggest needs a --finding at src/a.py:2");
        assertThat(as("bob", "review", "verdict", id, "changes", "--finding", "src/a.py:99:must_fix:x")
                        .err())
                .startsWith("holdfast: --finding 'src/a.py:99:must_fix:x': this round's diff does not show line 99");
    }

    @Test
    void waiting_ends_with_a_question_too_and_says_so_by_its_exit_code() throws Exception {
        String id = create("asked");
        CompletableFuture<Ran> waiting =
                CompletableFuture.supplyAsync(() -> as("ann", "review", "wait", id, "--wait", "5h"));
        done("bob", "review", "claim", id);
        done("bob", "review", "message", id, "why not a map?");
        Ran asked = waiting.get(60, TimeUnit.SECONDS);
        assertThat(asked.exitCode()).isEqualTo(ExitCode.ASKED.number());
        assertThat(asked.out())
                .startsWith("reviewer, round 1, ")
                .contains(
                        "\n  why not a map?\n",
                        "the reviewer is waiting for you: holdfast review show " + id.substring(0, 8));
        assertThat(as("ann", "review", "wait", create("unasked"), "--wait", "0").exitCode())
                .isEqualTo(ExitCode.BUSY.number());
    }

    @Test
    void lists_leave_out_what_is_closed_unless_all_is_asked_for() {
        String id = create("closed");
        done("ann", "review", "withdraw", id, "--reason", "not needed");
        String begin = id.substring(0, 8);
        assertThat(done("ann", "review", "list", "--project", "closed").out()).isEqualTo("no reviews\n");
        assertThat(done("ann", "review", "list", "--project", "closed", "--all").out())
                .contains(begin);
        assertThat(done("ann", "review", "list", "--status", "withdrawn").out()).contains(begin);
        Ran mistyped = as("ann", "review", "list", "--status", "bogus");
        assertThat(mistyped.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(mistyped.err()).contains("--status must be one of pending, claimed");

        String item = done("ann", "work", "create", "an item").out().strip();
        done("ann", "work", "close", item);
        assertThat(done("ann", "work", "list").out()).doesNotContain(item);
        assertThat(done("ann", "work", "list", "--all").out()).contains(item);
        assertThat(done("ann", "work", "list", "--status", "closed").out()).contains(item);
    }

    @Test
    void events_come_newest_first_and_so_many_as_asked_for() {
        done("ann", "claim", "key:events-1");
        done("ann", "claim", "key:events-2");
        List<String> lines = done("ann", "events", "-n", "1").out().lines().toList();
        assertThat(lines).hasSize(1);
        assertThat(done("ann", "events", "--resource", "key:events-1").out()).contains("key:events-1");
        List<String> two = done("ann", "events", "-n", "2").out().lines().toList();
        long newest = Long.parseLong(two.getFirst().split(" ")[0]);
        assertThat(newest).isGreaterThan(Long.parseLong(two.getLast().split(" ")[0]));
        assertThat(done("ann", "events", "--before", "" + newest, "-n", "1").out())
                .startsWith(two.getLast().split(" ")[0]);
        assertThat(done("ann", "events", "--after", "" + newest).out()).isEqualTo("no events\n");
        Ran mistyped = as("ann", "events", "--resource", "foo");
        assertThat(mistyped.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(mistyped.err()).contains("--resource must be kind:id, such as work:foo or key:foo");
    }

    @Test
    void nothing_ready_is_not_done() {
        assertThat(as("bob", "claim", "--next", "--queue", "empty").exitCode())
                .isEqualTo(ExitCode.NOT_CLAIMABLE.number());
        assertThat(as("bob", "work", "claim", "--next", "--queue", "empty", "--json")
                        .exitCode())
                .isEqualTo(ExitCode.NOT_CLAIMABLE.number());
        assertThat(as("bob", "review", "next", "--project", "empty").exitCode())
                .isEqualTo(ExitCode.NOT_CLAIMABLE.number());
        assertThat(as("bob", "task", "next", "--namespace", "empty").exitCode())
                .isEqualTo(ExitCode.NOT_CLAIMABLE.number());
    }

    @Test
    void waits_longer_than_a_broker_waits_go_on_until_there_is_something() throws Exception {
        done("ann", "claim", "key:busy");
        CompletableFuture<Ran> waiting =
                CompletableFuture.supplyAsync(() -> as("bob", "claim", "key:busy", "--wait", "5h"));
        done("ann", "release", "key:busy", "--generation", "1");
        assertThat(waiting.get(60, TimeUnit.SECONDS).out()).startsWith("claimed key:busy, generation 2");
    }
}
