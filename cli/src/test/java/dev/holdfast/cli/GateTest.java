package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.testing.FreePort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gate with a real git, a real broker and real commands. Each test has a project of its own. */
class GateTest extends OnASample {
    GateTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void repository() throws Exception {
        make("Sample Shop");
    }

    @Test
    void what_looks_like_the_next_round_of_ones_own_review_is_not_silently_another_review() throws Exception {
        sample.write("README", "one\n2\nthree\n");
        sample.git("add", ".");
        String review = sample.propose("--description", "read me first");
        for (String[] words : new String[][] {
            {"review", "claim", review, "--holder", "bob"},
            {"review", "verdict", review, "changes", "--reason", "rather II", "--holder", "bob"}
        }) {
            assertThat(sample.holdfast(words).exitCode()).isZero();
        }
        sample.write("README", "one\nII\nthree\n");
        sample.git("add", ".");
        Ran asked = sample.holdfast("gate", "--propose", "--intent", "II");
        assertThat(asked.exitCode()).isEqualTo(2);
        assertThat(asked.err()).contains("asks for changes", "--review " + review.substring(0, 8), "--new");
        Ran typed = sample.holdfast("review", "create", "II", "--staged");
        assertThat(typed.exitCode()).as(typed.out()).isEqualTo(2);
        assertThat(typed.err()).contains("asks for changes", "--round-of " + review.substring(0, 8), "--new");
        assertThat(sample.propose("--new")).isNotEqualTo(review);
        sample.write("README", "one\nIII\nthree\n");
        sample.git("add", ".");
        assertThat(sample.propose("--review", review)).isEqualTo(review);
        assertThat(description(review))
                .as("without a new one, the old one stays")
                .isEqualTo("read me first");
        sample.write("README", "one\nIV\nthree\n");
        sample.git("add", ".");
        sample.propose("--review", review, "--description", "");
        assertThat(description(review)).isNullOrEmpty();
    }

    private @Nullable String description(String review) {
        return sample.call("get_proposal", Map.of("review_id", review)).json().text("description");
    }

    @Test
    void the_same_content_is_one_review_also_before_the_first_commit() throws Exception {
        Path fresh = Files.createDirectory(folder.resolve("fresh " + repositories));
        SampleRepository empty = sample.at(fresh);
        empty.git("init", "-q", "-b", "main");
        empty.write("a.txt", "one\n");
        empty.git("add", ".");
        String review = empty.propose();
        assertThat(empty.propose()).isEqualTo(review);
        Ran staged = empty.holdfast("review", "create", "again", "--staged");
        assertThat(staged.out()).contains("review " + review, ": already proposed, and pending");
        Ran piped = empty.typed(
                empty.environment, empty.git("diff", "--cached") + "\n", "review", "create", "f", "--diff", "-");
        assertThat(piped.out()).contains("review " + review, ": already proposed, and pending");
    }

    @Test
    void two_who_propose_the_same_at_once_before_the_first_commit_get_one_review() throws Exception {
        SampleRepository empty = sample.at(Files.createDirectory(folder.resolve("both " + repositories)));
        empty.git("init", "-q", "-b", "main");
        for (int i = 0; i < 3; i++) {
            empty.write("a.txt", i + "\n");
            empty.git("add", ".");
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<String> other = CompletableFuture.supplyAsync(() ->
                    proposed(start, empty, "gate", "--propose", "--intent", "mine", "--holder", "carl", "--json"));
            String mine = proposed(start, empty, "review", "create", "mine", "--staged", "--holder", "dora", "--json");
            assertThat(other.join()).isEqualTo(mine);
        }
    }

    private static String proposed(CyclicBarrier start, SampleRepository where, String... words) {
        try {
            start.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        Ran ran = Ran.in(where.folder, where.environment, "", words);
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        return String.valueOf(ran.json().text("review_id"));
    }

    @Test
    void the_same_hand_made_part_of_a_merge_is_one_review() throws Exception {
        sample.git("checkout", "-q", "-b", "side");
        sample.write("README", "one\nzwei\nthree\n");
        sample.git("commit", "-q", "-a", "-m", "side");
        sample.git("checkout", "-q", "main");
        sample.write("README", "one\ndeux\nthree\n");
        sample.git("commit", "-q", "-a", "-m", "main");
        assertThat(sample.tryGit("merge", "side").exitCode()).isNotZero();
        sample.write("README", "one\nzwei, deux\nthree\n");
        sample.git("add", ".");
        String review = sample.propose();
        assertThat(sample.propose()).isEqualTo(review);
        assertThat(sample.holdfast("review", "create", "again", "--staged").out())
                .contains("review " + review, ": already proposed, and pending");
    }

    @Test
    void a_range_without_commits_proposes_nothing() throws Exception {
        sample.write("README", "one\n2\nthree\n");
        sample.git("commit", "-q", "-a", "-m", "second");
        for (String range : List.of("HEAD..HEAD", "HEAD..HEAD~1")) {
            Ran created = sample.holdfast("review", "create", "bad", "--range", range);
            assertThat(created.exitCode()).as(created.out()).isEqualTo(2);
            assertThat(created.err()).contains("nothing to review in " + range);
            Ran proposed = sample.holdfast("gate", "--range", range, "--propose", "--intent", "e");
            assertThat(proposed.exitCode()).as(proposed.out()).isEqualTo(2);
            assertThat(proposed.err()).contains("nothing to approve in " + range);
            assertThat(sample.holdfast("gate", "--range", range, "--print-diff").out())
                    .isEmpty();
            assertThat(sample.holdfast("gate", "--range", range, "--print-diff", "--json")
                            .exitCode())
                    .isEqualTo(2);
        }
    }

    @Test
    void only_approved_content_is_committed_or_what_somebody_overrides_with_a_reason() throws Exception {
        assertThat(sample.holdfast("hooks", "install", "--git", "--pre-commit").exitCode())
                .isZero();
        sample.write("README", "one\nTWO\nthree\n");
        sample.git("add", ".");

        Ran stopped = sample.tryGit("commit", "-m", "louder");
        assertThat(stopped.exitCode()).isNotZero();
        assertThat(stopped.err())
                .contains("not approved, in project sampleshop", "never reviewed")
                .contains("holdfast gate --propose --intent")
                .contains("holdfast gate --override")
                .doesNotContain("review create");

        String review = sample.propose();
        Ran waiting = sample.tryGit("commit", "-m", "louder");
        assertThat(waiting.exitCode()).isNotZero();
        assertThat(waiting.err()).contains("up for review", "review wait " + review.substring(0, 8));

        sample.approve(review);
        sample.git("commit", "-q", "-m", "louder");

        sample.write("README", "one\nTWO\nthree\nfour\n");
        sample.git("add", ".");
        String next = sample.propose();
        sample.approve(next);
        sample.write("README", "one\nTWO\nthree\nfour\nfive\n");
        sample.git("add", ".");
        Ran again = sample.tryGit("commit", "-m", "longer");
        assertThat(again.exitCode()).isNotZero();
        assertThat(again.err()).contains("the closest is review " + next + " (approved)");

        assertThat(sample.holdfast("gate", "--override", "production is down").out())
                .contains("overridden by Ann <ann@example.org>: production is down");
        sample.git("commit", "-q", "-m", "longer");
        JsonObject event = sample.call("get_audit_log", Map.of()).json().objects("events").stream()
                .filter(each -> "approval_overridden".equals(each.text("event_type")))
                .toList()
                .getLast();
        assertThat(event.text("actor")).isEqualTo("Ann <ann@example.org>");
        assertThat(event.object("metadata").text("reason")).isEqualTo("production is down");
        assertThat(event.object("metadata").text("revision")).startsWith("r2:");
    }

    @Test
    void a_gate_that_was_installed_for_an_address_asks_there_whatever_the_environment_says() throws Exception {
        assertThat(sample.holdfast("hooks", "install", "--git", "--url", broker.url())
                        .exitCode())
                .isZero();
        sample.environment.put("HOLDFAST_URL", "http://127.0.0.1:1");
        sample.write("README", "one\nTWO\nthree\n");
        sample.git("add", ".");

        assertThat(sample.tryGit("commit", "-m", "louder").err()).contains("not approved, in project");
        assertThat(sample.holdfast("hooks", "check", "--git", "--url", broker.url())
                        .exitCode())
                .isZero();
        assertThat(sample.holdfast("hooks", "uninstall", "--git").out()).contains("removed ");
    }

    /** Changes that are easily told wrongly. */
    enum Odd {
        SPACES_AND_QUOTES,
        NEWLINE_IN_A_NAME,
        UNICODE_NAME,
        CRLF,
        BINARY,
        NO_FINAL_NEWLINE,
        MODE,
        RENAME,
        LINK_FOR_A_FILE,
        EMPTY_FILE,
        DELETED,
        PARTLY_STAGED,
        SUBMODULE;

        void stage(SampleRepository in) throws Exception {
            switch (this) {
                case SPACES_AND_QUOTES -> in.write("a \"quoted\" \t name", "x\n");
                case NEWLINE_IN_A_NAME -> in.write("two\nlines", "x\n");
                case UNICODE_NAME -> in.write("日本/é", "日本\u0301\u2028x\n");
                case CRLF -> in.write("README", "one\r\nTWO\r\n\r\nthree\n");
                case BINARY -> in.write("blob", new byte[] {0, 1, 2, (byte) 200, 10, 13});
                case NO_FINAL_NEWLINE -> in.write("README", "one\ntwo\nthree");
                case MODE -> in.git("update-index", "--chmod=+x", "README");
                case RENAME -> in.git("mv", "README", "READ ME");
                case LINK_FOR_A_FILE -> {
                    Files.delete(in.folder.resolve("README"));
                    Files.createSymbolicLink(in.folder.resolve("README"), Path.of("elsewhere"));
                }
                case EMPTY_FILE -> in.write("nothing", "");
                case DELETED -> Files.delete(in.folder.resolve("README"));
                case PARTLY_STAGED -> in.write("README", "ONE\ntwo\nthree\n");
                case SUBMODULE ->
                    in.git(
                            "update-index",
                            "--add",
                            "--cacheinfo",
                            "160000,1234567890123456789012345678901234567890,sub");
            }
            if (this != MODE && this != SUBMODULE) {
                in.git("add", "-A");
            }
            if (this == PARTLY_STAGED) {
                in.write("README", "ONE\ntwo and a half\nthree\n");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_proposed_is_what_is_committed(Odd odd) throws Exception {
        odd.stage(sample);
        String plain = sample.git("diff", "--cached", "--binary");
        String review = sample.propose();
        sample.approve(review);

        Ran staged = sample.holdfast("gate", "--json");
        assertThat(staged.exitCode()).as(staged.out() + staged.err()).isZero();
        JsonObject content = staged.json().objects("contents").getFirst();
        assertThat(content.text("review_id")).isEqualTo(review);
        assertThat(sample.call("check_approval", Map.of("project", sample.folder.toString(), "diff", plain + "\n"))
                        .json()
                        .text("revision"))
                .as("of a plain git diff --binary")
                .isEqualTo(content.text("revision"));

        sample.git("commit", "-q", "-m", "odd");
        Ran committed = sample.holdfast("gate", "--range", "HEAD^..HEAD");
        assertThat(committed.exitCode()).as(committed.err()).isZero();
        assertThat(committed.out()).contains("by bob in review " + review);
    }

    @Test
    void no_setting_changes_what_is_asked_about() throws Exception {
        sample.write("code.c", "int f() {\n\n    return 1;\n}\n\nint g() {\n    return 2;\n}\n".repeat(9));
        sample.write("é.bin", new byte[] {0, 1, 2, 3});
        sample.git("add", ".");
        sample.git("commit", "-q", "-m", "base");
        sample.write("code.c", "int h() {\n    return 3;\n}\n\n" + Files.readString(sample.folder.resolve("code.c")));
        sample.write("code2.c", Files.readString(sample.folder.resolve("code.c")));
        sample.write("é.bin", new byte[] {0, 1, 2, 4});
        sample.git("mv", "README", "LIESMICH");
        sample.write(".gitattributes", "*.c diff=odd\n");
        sample.git("add", ".");
        String before = sample.holdfast("gate", "--print-diff").out();
        assertThat(before).contains("GIT binary patch", "rename from README", "\"a/\\303\\251.bin\"");

        for (String setting : List.of(
                "diff.noprefix=true",
                "diff.mnemonicPrefix=true",
                "diff.renames=copies",
                "diff.algorithm=histogram",
                "diff.context=9",
                "diff.interHunkContext=9",
                "diff.indentHeuristic=false",
                "diff.orderFile=order",
                "diff.suppressBlankEmpty=true",
                "diff.submodule=log",
                "diff.ignoreSubmodules=all",
                "diff.relative=true",
                "diff.external=false",
                "diff.odd.command=false",
                "diff.odd.textconv=false",
                "diff.colorMoved=plain",
                "color.ui=always",
                "core.quotePath=false",
                "core.compression=9",
                "core.looseCompression=9",
                "core.bigFileThreshold=1",
                "core.pager=false")) {
            String[] pair = setting.split("=");
            sample.git("config", pair[0], pair[1]);
        }
        Files.writeString(sample.folder.resolve("order"), "*.bin\n");
        sample.environment.put("GIT_DIFF_OPTS", "--unified=1");
        sample.environment.put("GIT_EXTERNAL_DIFF", "false");
        assertThat(sample.holdfast("gate", "--print-diff").out()).isEqualTo(before);
        Path inside = Files.createDirectory(sample.folder.resolve("inside"));
        assertThat(sample.at(inside).holdfast("gate", "--print-diff").out()).isEqualTo(before);
    }

    @Test
    void a_printed_diff_can_be_proposed_by_anybody() throws Exception {
        sample.write("blob", new byte[] {0, 1, 2, 3});
        sample.write("README", "one\n\nthree\n");
        sample.git("add", ".");
        String printed = sample.holdfast("gate", "--print-diff").out();
        Reply made = sample.call(
                "create_review",
                Map.of(
                        "intent", "by hand",
                        "agent_type", "codex",
                        "agent_role", "proposer",
                        "phase", "1",
                        "project", sample.folder.toString(),
                        "diff", printed,
                        "skip_diff_validation", true));
        sample.approve(String.valueOf(made.json().text("review_id")));
        assertThat(sample.holdfast("gate").exitCode()).isZero();
        Path file = Files.writeString(folder.resolve("saved.diff"), printed);
        assertThat(sample.holdfast("gate", "--diff", file.toString()).exitCode())
                .isZero();
        assertThat(sample.holdfast("gate", "--diff", file.toString(), "--project", "another")
                        .exitCode())
                .isEqualTo(8);
    }

    @Test
    void nothing_staged_passes_and_what_cannot_be_read_does_not() throws Exception {
        assertThat(sample.holdfast("gate").exitCode()).isZero();
        assertThat(sample.holdfast("gate", "--propose", "--intent", "x").err()).contains("nothing to approve");

        sample.write("latin", "caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        sample.git("add", ".");
        Ran latin = sample.holdfast("gate");
        assertThat(latin.exitCode()).isEqualTo(2);
        assertThat(latin.err()).contains("latin", "UTF-8", ".gitattributes");
        sample.write(".gitattributes", "latin -diff\n");
        sample.approve(propose());
        assertThat(sample.holdfast("gate").exitCode()).isZero();

        assertThat(sample.at(folder).holdfast("gate").err()).contains("not a git repository");
    }

    @Test
    void a_change_beyond_the_brokers_limit_is_refused_with_the_limit_named() throws Exception {
        sample.write("large", ("0123456789".repeat(100) + "\n").repeat(11_000));
        sample.git("add", ".");
        Ran ran = sample.holdfast("gate");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("the staged change", "the limit is 10485760");
    }

    @Test
    void the_first_commit_of_a_repository_is_a_change_like_any_other() throws Exception {
        sample.git("update-ref", "-d", "HEAD");
        assertThat(sample.holdfast("gate").exitCode()).isEqualTo(8);
        sample.approve(propose());
        assertThat(sample.holdfast("gate").exitCode()).isZero();
        sample.git("commit", "-q", "-m", "first");
        assertThat(sample.holdfast("gate", "--range", "HEAD").exitCode()).isZero();
    }

    @Test
    void a_range_passes_as_one_or_commit_by_commit() throws Exception {
        String start = sample.git("rev-parse", "HEAD");
        commit("README", "ONE\ntwo\nthree\n");
        commit("other", "x\n");
        Ran stopped = sample.holdfast("gate", "--range", start + "..HEAD");
        assertThat(stopped.exitCode()).isEqualTo(8);
        assertThat(stopped.err()).contains("(2 commits)", "gate --range " + start.substring(0, 12) + "..");

        sample.approve(propose("--range", start + "..HEAD^"));
        Ran half = sample.holdfast("gate", "--range", start + "..HEAD");
        assertThat(half.exitCode()).isEqualTo(8);
        assertThat(half.err()).contains("change other").doesNotContain("change README");
        sample.approve(propose("--range", "HEAD^..HEAD"));
        assertThat(sample.holdfast("gate", "--range", start + "..HEAD").exitCode())
                .isZero();

        commit("README", "ONE\nTWO\nthree\n");
        commit("README", "ONE\nTWO\nTHREE\n");
        sample.approve(propose("--range", "HEAD~2..HEAD"));
        assertThat(sample.holdfast("gate", "--range", "HEAD~2..HEAD").exitCode())
                .isZero();
        assertThat(sample.holdfast("gate", "--range", "HEAD..HEAD").exitCode()).isZero();
        assertThat(sample.holdfast("gate", "--range", "nonsense..HEAD").exitCode())
                .isEqualTo(2);
        assertThat(sample.holdfast("gate", "--range", "HEAD^...HEAD").exitCode())
                .isEqualTo(2);
        assertThat(sample.holdfast("gate", "--range", "--output=x..HEAD").exitCode())
                .isEqualTo(2);
    }

    @Test
    void an_approved_commit_may_be_rebased_while_the_lines_around_it_stay() throws Exception {
        String lines = "a\nb\nc\nd\ne\nf\ng\nh\n";
        commit("list", lines);
        sample.git("checkout", "-q", "-b", "feature");
        commit("list", lines + "i\n");
        sample.approve(propose("--range", "main..HEAD"));
        sample.git("checkout", "-q", "main");
        commit("list", "0\n" + lines);
        sample.git("checkout", "-q", "feature");
        sample.git("rebase", "-q", "main");
        assertThat(sample.holdfast("gate", "--range", "main..HEAD").exitCode()).isZero();

        sample.git("checkout", "-q", "main");
        commit("list", "0\n" + lines.replace("h", "H"));
        commit("list", "0\n" + lines.replace("g", "G"));
        sample.git("checkout", "-q", "feature");
        sample.git("rebase", "-q", "main");
        assertThat(sample.holdfast("gate", "--range", "main..HEAD").exitCode()).isEqualTo(8);
    }

    @Test
    void a_merge_that_git_makes_needs_no_approval_and_one_made_by_hand_does() throws Exception {
        String start = sample.git("rev-parse", "HEAD");
        sample.git("checkout", "-q", "-b", "side");
        commit("side", "x\n");
        sample.approve(propose("--range", start + "..HEAD"));
        sample.git("checkout", "-q", "main");
        commit("README", "ONE\ntwo\nthree\n");
        sample.approve(propose("--range", start + "..HEAD"));
        sample.git("merge", "-q", "--no-ff", "--no-commit", "side");
        assertThat(sample.holdfast("gate").exitCode()).isZero();
        sample.git("commit", "-q", "-m", "merge");
        assertThat(sample.holdfast("gate", "--range", start + "..HEAD").exitCode())
                .isZero();

        sample.write("side", "slipped in\n");
        sample.git("add", ".");
        sample.git("commit", "-q", "--amend", "-m", "merge with more");
        assertThat(sample.holdfast("gate", "--range", start + "..HEAD").exitCode())
                .isEqualTo(8);
    }

    @Test
    void of_a_merge_with_conflicts_what_hands_did_is_approved() throws Exception {
        String start = sample.git("rev-parse", "HEAD");
        sample.git("checkout", "-q", "-b", "side");
        commit("README", "side\ntwo\nthree\n");
        commit("large", "x\n".repeat(1_000));
        sample.git("checkout", "-q", "main");
        commit("README", "main\ntwo\nthree\n");
        assertThat(sample.tryGit("merge", "side").exitCode()).isNotZero();
        assertThat(sample.holdfast("gate").err()).contains("unmerged");
        sample.write("README", "both\ntwo\nthree\n");
        sample.git("add", ".");
        assertThat(sample.holdfast("gate").exitCode()).isEqualTo(8);
        assertThat(sample.holdfast("gate", "--print-diff").out())
                .contains("-<<<<<<<", "+both")
                .doesNotContain("large");
        sample.approve(propose());
        assertThat(sample.holdfast("gate").exitCode()).isZero();
        sample.git("commit", "-q", "-m", "the merge");

        Ran merged = sample.holdfast("gate", "--range", start + "..HEAD", "--json");
        assertThat(merged.exitCode()).isEqualTo(8);
        assertThat(merged.json().objects("contents"))
                .hasSize(4)
                .allSatisfy(each -> assertThat(each.get("approved"))
                        .isEqualTo(String.valueOf(each.text("content")).endsWith("the merge")));
    }

    @Test
    void a_merge_that_drops_what_is_there_is_not_taken_for_nothing() throws Exception {
        sample.git("checkout", "-q", "-b", "side");
        commit("side", "x\n");
        sample.approve(propose("--range", "main..HEAD"));
        sample.git("checkout", "-q", "main");
        commit("README", "ONE\ntwo\nthree\n");
        sample.git("checkout", "-q", "side");
        sample.git("merge", "-q", "-s", "ours", "-m", "drops what main did", "main");
        Ran ran = sample.holdfast("gate", "--range", "main..HEAD");
        assertThat(ran.exitCode()).isEqualTo(8);
        assertThat(ran.err()).contains("drops what main did").doesNotContain("change side");
    }

    @Test
    void without_a_broker_the_gate_is_closed_unless_the_repository_says_otherwise() throws Exception {
        sample.environment.put("HOLDFAST_URL", FreePort.url());
        sample.write("README", "other\n");
        sample.git("add", ".");
        Ran closed = sample.holdfast("gate");
        assertThat(closed.exitCode()).isEqualTo(7);
        assertThat(closed.err()).contains("no broker answers", "git config holdfast.gate.unreachable open");

        sample.git("config", "holdfast.gate.unreachable", "open");
        Ran open = sample.holdfast("gate");
        assertThat(open.exitCode()).isZero();
        assertThat(open.err()).contains("NOT CHECKED");
        assertThat(sample.holdfast("gate", "--unreachable", "closed").exitCode())
                .isEqualTo(7);
        sample.git("config", "holdfast.gate.unreachable", "ajar");
        assertThat(sample.holdfast("gate").exitCode()).isEqualTo(2);
    }

    @Test
    void worktrees_and_subfolders_belong_to_the_same_project() throws Exception {
        Path tree = folder.resolve("elsewhere " + repositories);
        sample.git("worktree", "add", "-q", tree.toString(), "-b", "feature");
        SampleRepository feature = sample.at(tree);
        feature.write("README", "other\n");
        feature.git("add", ".");
        sample.approve(feature.propose());
        assertThat(feature.holdfast("gate").exitCode()).isZero();
        feature.git("commit", "-q", "-m", "feature");
        assertThat(sample.holdfast("gate", "--range", "main..feature").exitCode())
                .isZero();
        sample.git("config", "holdfast.project", "another");
        assertThat(sample.holdfast("gate", "--range", "main..feature").err())
                .contains("in project another", "is approved by review");
    }

    @Test
    void words_that_do_not_go_together_are_refused() throws Exception {
        assertThat(sample.holdfast("gate", "--staged", "--range", "a..b").exitCode())
                .isEqualTo(2);
        assertThat(sample.holdfast("gate", "--intent", "x").exitCode()).isEqualTo(2);
        assertThat(sample.holdfast("gate", "--propose").exitCode()).isEqualTo(2);
        assertThat(sample.holdfast("gate", "--propose", "--intent", " ").err())
                .contains("--propose needs --intent TEXT");
        assertThat(sample.at(folder).holdfast("hooks", "install", "--git"))
                .isEqualTo(new Ran(2, "", "holdfast: not a git repository; run this inside one\n"));
    }

    @Test
    void after_changes_were_requested_the_gate_says_how_to_propose_the_next_round() throws Exception {
        sample.write("README", "one\nTWO\nthree\n");
        String review = propose();
        Map<String, String> bob = new HashMap<>(sample.environment);
        bob.put("HOLDFAST_AGENT", "bob");
        for (String[] words : new String[][] {
            {"review", "claim", review},
            {"review", "show", review},
            {"review", "verdict", review, "changes", "--reason", "some thing ".repeat(20) + "is left"}
        }) {
            Ran ran = sample.typed(bob, "", words);
            assertThat(ran.exitCode()).as(ran.err()).isZero();
        }
        assertThat(sample.holdfast("gate").err())
                .as("the reason, cut at a word")
                .contains(": some thing some", " some thing… Change it, and propose the next round.");
        sample.write("README", "one\ntwo!\nthree\n");
        sample.git("add", ".");
        String brief = review.substring(0, 8);
        assertThat(sample.holdfast("gate").err())
                .contains("gate --propose --review " + brief + " --intent", "next round of review " + brief)
                .contains("approved it, 'git commit' passes.");
    }

    private String propose(String... words) throws Exception {
        if (words.length == 0) {
            sample.git("add", "-A");
        }
        return sample.propose(words);
    }

    private void commit(String file, String text) throws Exception {
        sample.write(file, text);
        sample.git("add", ".");
        sample.git("commit", "-q", "-m", "change " + file);
    }
}
