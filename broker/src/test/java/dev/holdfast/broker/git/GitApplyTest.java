package dev.holdfast.broker.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.git.Trap;
import dev.holdfast.git.TrappedRepository;
import dev.holdfast.git.ZeroId;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.testing.TestRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GitApplyTest {
    private static final String TEXT = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

    @TempDir
    Path folder;

    private TestRepository repository;
    private final GitApply git = new GitApply(System.getenv(), Duration.ofSeconds(60), 2);

    @BeforeEach
    void a_repository() {
        repository = TestRepository.in(folder.resolve("repository"));
        repository.write("a.txt", TEXT);
        repository.write("sub/b.txt", TEXT);
        repository.commitAll("base");
    }

    @Test
    void a_diff_that_fits_applies_and_changes_nothing() {
        String diff = change("a.txt", TEXT.replace("four", "4"));
        repository.git("checkout", "-q", ".");
        assertThat(check(diff)).isEqualTo(new ApplyCheck.Applies());
        assertThat(folder.resolve("repository/a.txt")).hasContent(TEXT);
    }

    @Test
    void work_that_is_not_committed_applies_and_committed_work_is_recognised_as_applied() {
        String diff = change("a.txt", TEXT.replace("four", "4"));
        assertThat(check(diff)).isEqualTo(new ApplyCheck.Applies());
        repository.git("add", "-A");
        assertThat(check(diff)).isEqualTo(new ApplyCheck.Applies());
        repository.commitAll("the change");
        assertThat(check(diff)).isEqualTo(new ApplyCheck.AlreadyApplied());
        repository.write("plan.md", TEXT);
        assertThat(check(repository.git("diff", "--no-index", "/dev/null", "plan.md")))
                .isEqualTo(new ApplyCheck.Applies());
    }

    @Test
    void a_diff_of_further_work_on_top_of_what_is_staged_applies() {
        repository.write("a.txt", TEXT.replace("four", "4"));
        repository.git("add", "-A");
        String further = change("a.txt", TEXT.replace("four", "4 and more"));
        assertThat(further).contains("-4\n");
        assertThat(check(further)).isEqualTo(new ApplyCheck.Applies());
    }

    @Test
    void what_somebody_has_open_in_the_working_tree_does_not_matter() {
        String diff = change("a.txt", TEXT.replace("four", "4"));
        repository.write("a.txt", "something else entirely\n");
        assertThat(check(diff)).isEqualTo(new ApplyCheck.Applies());
    }

    @Test
    void a_diff_that_does_not_fit_conflicts_and_is_told_where_and_against_what() {
        String diff = change("a.txt", TEXT.replace("four", "4"));
        repository.write("a.txt", TEXT.replace("four", "something else"));
        repository.commitAll("something else");
        String head = repository.git("rev-parse", "HEAD").strip();
        assertThat(check(diff))
                .isInstanceOfSatisfying(
                        ApplyCheck.Conflicts.class,
                        conflicts -> assertThat(conflicts.message())
                                .contains("a.txt: patch does not apply")
                                .contains("checked against commit " + head.substring(0, 12))
                                .contains(repository.folder().toString()));
    }

    @Test
    void a_diff_is_held_against_the_commit_that_it_was_made_from_where_that_is_told() {
        String base = repository.git("rev-parse", "HEAD").strip();
        String diff = change("a.txt", TEXT.replace("four", "4"));
        repository.write("a.txt", "all different\n");
        repository.commitAll("somebody went on");
        assertThat(check(diff)).isInstanceOf(ApplyCheck.Conflicts.class);
        assertThat(git.check(repository.folder(), read(diff), base)).isEqualTo(new ApplyCheck.Applies());
        for (String unknown : List.of("1".repeat(40), "main", ":/base", "--all", "")) {
            assertThat(git.check(repository.folder(), read(diff), unknown))
                    .as(unknown)
                    .isInstanceOfSatisfying(
                            ApplyCheck.Unavailable.class,
                            not -> assertThat(not.reason())
                                    .contains("is not in " + repository.folder(), "does not apply to commit"));
        }
    }

    @Test
    void a_patch_in_the_place_of_a_content_fits_its_base_and_one_on_top_of_it_becomes_the_whole_change() {
        String base = repository.git("rev-parse", "HEAD").strip();
        String content = change("a.txt", TEXT.replace("four", "4"));
        String instead = change("a.txt", TEXT.replace("four", "IV"));
        repository.write("a.txt", TEXT.replace("four", "4"));
        repository.git("add", "a.txt");
        String further = change("a.txt", TEXT.replace("four", "4!"));
        String beside = change("test.txt", "a test\n").replaceAll("(?s).*(diff --git a/test)", "$1");
        repository.git("reset", "--hard");
        repository.write("a.txt", "unsaved work of somebody\n");
        repository.write("z.txt", "and");
        repository.commitAll("others go on");

        assertThat(onTop(instead, content, base)).isEqualTo(new ApplyCheck.Applies());
        assertThat(onTop(further, content, base))
                .isInstanceOfSatisfying(
                        ApplyCheck.Applies.class,
                        applies -> assertThat(applies.whole())
                                .contains("-four", "+4!")
                                .doesNotContain("+4\n"));
        assertThat(onTop(beside, content, base))
                .isInstanceOfSatisfying(
                        ApplyCheck.Applies.class,
                        applies -> assertThat(applies.whole()).contains("+4\n", "+a test"));
        assertThat(onTop(content.replace("four", "eleven"), content, base)).isInstanceOf(ApplyCheck.Conflicts.class);
    }

    @Test
    void a_patch_for_work_that_is_committed_already_is_held_against_what_was_before_it() {
        String content = change("a.txt", TEXT.replace("four", "4"));
        String instead = change("a.txt", TEXT.replace("four", "IV"));
        repository.write("a.txt", TEXT.replace("four", "4"));
        repository.commitAll("the change");
        assertThat(onTop(instead, content, null)).isEqualTo(new ApplyCheck.Applies());
    }

    private ApplyCheck onTop(String patch, String content, @Nullable String base) {
        return git.onTop(repository.folder(), read(patch), read(content), base);
    }

    @Test
    void before_the_first_commit_new_files_apply() {
        TestRepository empty = TestRepository.in(folder.resolve("empty"));
        String diff = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n";
        assertThat(git.check(empty.folder(), read(diff), null)).isEqualTo(new ApplyCheck.Applies());
        assertThat(git.check(empty.folder(), read(diff), ZeroId.ID)).isEqualTo(new ApplyCheck.Applies());
    }

    @Test
    void what_was_made_from_no_commit_is_held_against_nothing_also_when_there_is_one_by_now() {
        String diff =
                "diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n";
        assertThat(git.check(repository.folder(), read(diff), null)).isInstanceOf(ApplyCheck.Conflicts.class);
        assertThat(git.check(repository.folder(), read(diff), ZeroId.ID)).isEqualTo(new ApplyCheck.Applies());
        assertThat(git.check(repository.folder(), read(change("a.txt", "y\n")), ZeroId.ID))
                .isInstanceOfSatisfying(
                        ApplyCheck.Conflicts.class,
                        conflict -> assertThat(conflict.message()).contains("checked against an empty repository"));
        String instead = diff.replace("+x", "+y");
        assertThat(onTop(instead, diff, ZeroId.ID)).isEqualTo(new ApplyCheck.Applies());
    }

    @Test
    void every_kind_of_change_applies_and_is_recognised_afterwards() throws IOException {
        Path root = repository.folder();
        repository.write("crlf.txt", TEXT.replace("\n", "\r\n"));
        repository.write("no newline.txt", "a\nb");
        repository.write("moved.txt", TEXT.repeat(9));
        repository.write("gone.txt", TEXT);
        repository.write("run.sh", "#!/bin/sh\n");
        repository.write("image.bin", new byte[] {0, 1, 2});
        repository.commitAll("more files");
        repository.write("crlf.txt", TEXT.replace("four", "4").replace("\n", "\r\n"));
        repository.write("no newline.txt", "a\nb\nc");
        Files.move(root.resolve("moved.txt"), root.resolve("moved é here.txt"));
        repository.write("moved é here.txt", TEXT.repeat(9) + "end\n");
        Files.delete(root.resolve("gone.txt"));
        Files.setPosixFilePermissions(root.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        repository.write("image.bin", new byte[] {0, 3, 4, 5});
        repository.write("new.txt", "new\n");
        repository.write("new.bin", new byte[] {0, 9});
        repository.git("add", "-A");
        String diff = repository.git("diff", "--cached", "--binary");
        String unprefixed = repository.git("diff", "--cached", "--binary", "--no-prefix");
        repository.git("commit", "-q", "-m", "all of it");
        for (String text : new String[] {diff, diff.stripTrailing(), unprefixed}) {
            assertThat(check(text)).isEqualTo(new ApplyCheck.AlreadyApplied());
        }
        repository.git("checkout", "-q", "HEAD~1");
        for (String text : new String[] {diff, diff.stripTrailing(), unprefixed}) {
            assertThat(check(text)).isEqualTo(new ApplyCheck.Applies());
        }
    }

    @Test
    void from_a_subfolder_the_whole_repository_is_checked() {
        String diff = change("a.txt", TEXT.replace("four", "4"));
        assertThat(git.check(repository.folder().resolve("sub"), read(diff), null))
                .isEqualTo(new ApplyCheck.Applies());
        repository.write("a.txt", "all different\n");
        repository.commitAll("all different");
        assertThat(git.check(repository.folder().resolve("sub"), read(diff), null))
                .isInstanceOf(ApplyCheck.Conflicts.class);
    }

    @Test
    void a_binary_file_without_its_content_is_a_conflict_with_advice() {
        repository.write("image.bin", new byte[] {0, 1, 2});
        repository.commitAll("image");
        repository.write("image.bin", new byte[] {0, 1, 3});
        String diff = repository.git("diff");
        repository.git("checkout", "-q", ".");
        assertThat(check(diff).toString()).contains("Conflicts").contains("git diff --binary");
    }

    @Test
    void paths_outside_the_repository_are_refused() {
        for (String path : new String[] {"../x", "sub/../../x", "/etc/x", ".git/config", "sub/.GIT/hooks/x"}) {
            String diff =
                    "diff --git a/%1$s b/%1$s\nnew file mode 100644\n--- /dev/null\n+++ b/%1$s\n@@ -0,0 +1 @@\n+x\n"
                            .formatted(path);
            assertThat(check(diff))
                    .isEqualTo(new ApplyCheck.Conflicts(
                            "error: the diff touches " + path + ", which is outside the repository"));
        }
    }

    @Test
    void a_link_that_leads_out_of_the_repository_is_not_followed() throws IOException {
        Files.createSymbolicLink(repository.folder().resolve("out"), folder);
        repository.commitAll("a link");
        String diff =
                "diff --git a/out/x b/out/x\nnew file mode 100644\n--- /dev/null\n+++ b/out/x\n@@ -0,0 +1 @@\n+x\n";
        assertThat(check(diff).toString()).contains("beyond a symbolic link");
    }

    @Test
    void a_folder_that_is_missing_or_no_repository_is_said() {
        Diff diff = read(change("a.txt", "x\n"));
        assertThat(git.check(folder.resolve("missing"), diff, null).toString()).contains("missing does not exist");
        assertThat(git.check(folder, diff, null).toString()).contains("Unavailable", "is not in a git repository");
    }

    @Test
    void a_missing_git_is_said() {
        GitApply without = new GitApply(Map.of("PATH", folder.toString()), Duration.ofSeconds(60), 1);
        assertThat(without.check(repository.folder(), read(change("a.txt", "x\n")), null)
                        .toString())
                .contains("git was not found");
    }

    @Test
    void the_environment_and_configuration_of_others_do_not_lead_git_astray() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("GIT_DIR", folder.resolve("nowhere").toString());
        environment.put("GIT_INDEX_FILE", "/nowhere");
        environment.put("GIT_CONFIG_COUNT", "broken");
        String diff = change("a.txt", TEXT.replace("four", "4  "));
        repository.git("config", "core.fsmonitor", "touch " + folder.resolve("ran"));
        repository.git("config", "apply.whitespace", "error");
        assertThat(new GitApply(environment, Duration.ofSeconds(60), 1).check(repository.folder(), read(diff), null))
                .isEqualTo(new ApplyCheck.Applies());
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    /** That plain git runs them is shown where the traps are made, in {@code TrapTest}. */
    @ParameterizedTest
    @EnumSource
    void nothing_that_a_repository_configures_is_run(Trap trap) throws Exception {
        TrappedRepository stranger = TrappedRepository.in(folder.resolve("trap").toAbsolutePath(), trap);
        List<String> diffs = List.of(
                TrappedRepository.DIFF, // fits
                TrappedRepository.DIFF.replace("two", "no such line"),
                TrappedRepository.DIFF.replace("-two\n+2", "-2\n+two"),
                TrappedRepository.DIFF.replace("trap.txt", "other.txt"));
        for (String place : List.of("", "vendor", "docs", "module")) {
            Path where = stranger.folder().resolve(place);
            for (String diff : diffs) {
                ApplyCheck _ = git.check(where, read(diff), null);
            }
        }
        assertThat(stranger.sprung()).isEmpty();
        assertThat(git.check(stranger.folder(), read(diffs.getFirst()), null)).isEqualTo(new ApplyCheck.Applies());
    }

    @Test
    void a_git_that_hangs_is_ended_by_the_timeout() throws IOException {
        GitApply hanging = new GitApply(hangingGit(), Duration.ofMillis(700), 1);
        Diff diff = read(change("a.txt", "x\n"));
        assertThat(hanging.check(repository.folder(), diff, null).toString()).contains("Unavailable", "did not answer");
        await().untilAsserted(() -> assertThat(started()).noneMatch(GitApplyTest::isRunning));
    }

    @Test
    void all_that_git_started_is_ended_with_it() throws Exception {
        GitApply hanging = new GitApply(hangingGit(), Duration.ofSeconds(60), 1);
        Diff diff = read(change("a.txt", "x\n"));
        Thread check = Thread.startVirtualThread(() -> hanging.check(repository.folder(), diff, null));
        await().untilAsserted(() -> assertThat(started()).hasSize(3).allMatch(GitApplyTest::isRunning));
        check.interrupt();
        check.join();
        await().untilAsserted(() -> assertThat(started()).hasSize(3).noneMatch(GitApplyTest::isRunning));
    }

    @Test
    void a_hanging_git_makes_others_wait_no_longer_than_the_timeout() throws IOException {
        GitApply hanging = new GitApply(hangingGit(), Duration.ofMillis(700), 1);
        Diff diff = read(change("a.txt", "x\n"));
        Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> hanging.check(repository.folder(), diff, null), Thread::startVirtualThread))
                .limit(10)
                .toList()
                .forEach(check -> assertThat(check.join()).isInstanceOf(ApplyCheck.Unavailable.class));
        assertThat(started()).as("three each, had they waited for their turn").hasSizeLessThan(30);
    }

    @Test
    void a_small_diff_that_stands_for_gigabytes_is_given_up_before_it_takes_the_memory() {
        long size = 2L << 30;
        assertThat(check("diff --git a/big b/big\nnew file mode 100644\nindex " + "0".repeat(40) + ".." + "1".repeat(40)
                        + "\nGIT binary patch\nliteral " + size + "\n" + Zeros.compressed(size)
                        + "\nliteral 0\nHcmV?d00001\n\n"))
                .isEqualTo(new ApplyCheck.Unavailable("git needed more than 512 MB of memory and was killed"));
    }

    @Test
    void thousands_of_copies_of_a_file_are_given_up_before_they_take_the_memory() {
        repository.write("large.txt", "a line of a large file\n".repeat(100_000));
        repository.commitAll("a large file");
        String copies = IntStream.range(0, 2_000)
                .mapToObj(number ->
                        "diff --git a/large.txt b/copy-%1$d\nsimilarity index 100%%\ncopy from large.txt\ncopy to copy-%1$d\n"
                                .formatted(number))
                .collect(Collectors.joining());
        assertThat(check(copies))
                .isEqualTo(new ApplyCheck.Unavailable("git needed more than 512 MB of memory and was killed"));
    }

    @Test
    void five_megabytes_go_through_and_so_do_as_many_errors() {
        String line = "0123456789012345678901234567890123456789012345678\n";
        String large = change("large.txt", line.repeat(100_000));
        assertThat(large.length()).isGreaterThan(5_000_000);
        assertThat(check(large)).isEqualTo(new ApplyCheck.Applies());
        StringBuilder bad = new StringBuilder();
        for (int file = 0; file < 20_000; file++) {
            bad.append("diff --git a/%1$d b/%1$d\n--- a/%1$d\n+++ b/%1$d\n@@ -1 +1 @@\n-a\n+b\n".formatted(file));
        }
        assertThat(check(bad.toString()))
                .isInstanceOfSatisfying(
                        ApplyCheck.Conflicts.class,
                        conflicts -> assertThat(conflicts.message())
                                .contains("No such file")
                                .hasSizeLessThan(5_000));
    }

    /** A program named git that starts others and waits for them for ever; all write down who they are. */
    private Map<String, String> hangingGit() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path script = bin.resolve("git");
        String pids = "'" + folder.resolve("pids") + "'";
        Files.writeString(script, """
                #!/bin/sh
                echo $$ >> PIDS
                (sleep 1000 & echo $! >> PIDS; wait) &
                echo $! >> PIDS
                wait
                """.replace("PIDS", pids));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("PATH", bin + ":" + environment.get("PATH"));
        return environment;
    }

    private List<String> started() throws IOException {
        Path pids = folder.resolve("pids");
        return Files.exists(pids) ? Files.readAllLines(pids) : List.of();
    }

    /** A killed process whose parent has not taken note of its end yet is a zombie: not running. */
    private static boolean isRunning(String pid) {
        try {
            String state = Files.readString(Path.of("/proc", pid, "stat"));
            return !state.substring(state.lastIndexOf(')')).startsWith(") Z");
        } catch (IOException gone) {
            return false;
        }
    }

    private ApplyCheck check(String diff) {
        return git.check(repository.folder(), read(diff), null);
    }

    private String change(String path, String content) {
        repository.write(path, content);
        repository.git("add", "-N", ".");
        return repository.git("diff");
    }

    private static Diff read(String text) {
        return switch (Diff.parse(text)) {
            case Diff diff -> diff;
            case DiffProblem problem -> throw new AssertionError(problem);
        };
    }
}
