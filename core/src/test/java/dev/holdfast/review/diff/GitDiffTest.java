package dev.holdfast.review.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.TestRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What real git writes is read right, and the same change has the same revision however git was asked for it. */
class GitDiffTest {
    private static final String LONG = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

    @TempDir
    Path folder;

    private TestRepository repository;

    @BeforeEach
    void a_repository_with_every_kind_of_change_in_its_work_tree() throws Exception {
        repository = TestRepository.in(folder.resolve("repository"));
        repository.write("plain.txt", LONG);
        repository.write("with space.txt", LONG);
        repository.write("sub/dir/é.txt", LONG);
        repository.write("windows.txt", LONG.replace("\n", "\r\n"));
        repository.write("no newline.txt", "a\nb");
        repository.write("moved from.txt", LONG.repeat(5));
        repository.write("gone.txt", "nobody\nneeds\nthis\n");
        repository.write("run.sh", "#!/bin/sh\n");
        repository.write("image.bin", new byte[] {0, 1, 2, 3});
        repository.commitAll("base");
        repository.write("plain.txt", LONG.replace("five", "5"));
        repository.write("with space.txt", "zero\n" + LONG);
        repository.write("sub/dir/é.txt", LONG.replace("two\n", ""));
        repository.write("windows.txt", LONG.replace("five", "5").replace("\n", "\r\n"));
        repository.write("no newline.txt", "a\nb\nc");
        repository.write("new file.txt", LONG);
        Files.delete(repository.folder().resolve("gone.txt"));
        Files.move(
                repository.folder().resolve("moved from.txt"),
                repository.folder().resolve("moved to.txt"));
        repository.write("moved to.txt", LONG.repeat(5) + "eleven\n");
        Files.setPosixFilePermissions(
                repository.folder().resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        repository.write("image.bin", new byte[] {0, 1, 2, 4, 5});
        repository.git("add", "-A", "-N");
        repository.git("add", "-A");
    }

    @Test
    void every_kind_of_change_is_in_the_list_of_files() {
        Diff diff = Diffs.read(staged());
        assertThat(diff.affectedFiles())
                .containsExactlyInAnyOrder(
                        new AffectedFile("plain.txt", "modify", 1, 1, null, null, null, false),
                        new AffectedFile("with space.txt", "modify", 1, 0, null, null, null, false),
                        new AffectedFile("sub/dir/é.txt", "modify", 0, 1, null, null, null, false),
                        new AffectedFile("windows.txt", "modify", 1, 1, null, null, null, false),
                        new AffectedFile("no newline.txt", "modify", 2, 1, null, null, null, false),
                        new AffectedFile("new file.txt", "create", 10, 0, null, null, "100644", false),
                        new AffectedFile("gone.txt", "delete", 0, 3, null, "100644", null, false),
                        new AffectedFile("moved to.txt", "rename", 1, 0, "moved from.txt", null, null, false),
                        new AffectedFile("run.sh", "modify", 0, 0, null, "100644", "100755", false),
                        new AffectedFile("image.bin", "modify", 0, 0, null, null, null, true));
        assertThat(diff.normalised()).isEqualTo(staged());
        assertThat(Diffs.read(staged().stripTrailing()).normalised()).isEqualTo(staged());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--no-prefix",
                "--src-prefix=i/ --dst-prefix=w/",
                "--full-index",
                "--abbrev=12",
                "--stat -p",
                "--inter-hunk-context=0",
                "-O/dev/null",
                "--diff-algorithm=patience"
            })
    void options_that_only_change_the_looks_do_not_change_the_revision(String options) {
        String[] git = ("diff --cached --binary " + options).split(" ");
        assertThat(Diffs.revision(repository.git(git))).isEqualTo(Diffs.revision(staged()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-U0", "-U1", "-U5", "--no-renames", "--ignore-space-at-eol -U4"})
    void options_that_show_other_lines_make_another_revision(String options) {
        String[] git = ("diff --cached --binary " + options).split(" ");
        assertThat(Diffs.revision(repository.git(git))).isNotEqualTo(Diffs.revision(staged()));
    }

    @Test
    void mnemonic_prefixes_and_the_order_of_files_do_not_matter() {
        ContentHash revision = Diffs.revision(staged());
        repository.git("config", "diff.mnemonicPrefix", "true");
        assertThat(staged()).contains("diff --git c/plain.txt i/plain.txt");
        assertThat(Diffs.revision(staged())).isEqualTo(revision);
        Path order = repository.write("../order", "windows.txt\nrun.sh\n*.bin\n");
        assertThat(Diffs.revision(repository.git("diff", "--cached", "--binary", "-O" + order)))
                .isEqualTo(revision);
    }

    @Test
    void before_and_after_the_commit_and_as_a_mail_it_is_the_same_revision() {
        ContentHash revision = Diffs.revision(staged());
        assertThat(Diffs.revision(repository.git("diff", "HEAD", "--binary"))).isEqualTo(revision);
        repository.git("commit", "-q", "-m", "the change\n\nwith -- and +++ in its message");
        assertThat(Diffs.revision(repository.git("diff", "--binary", "HEAD~1", "HEAD")))
                .isEqualTo(revision);
        assertThat(Diffs.revision(repository.git("show", "--binary", "HEAD"))).isEqualTo(revision);
        assertThat(Diffs.revision(repository.git("log", "-p", "--binary", "HEAD~1..HEAD")))
                .isEqualTo(revision);
        String mail = repository.git("format-patch", "--stdout", "--binary", "HEAD~1..HEAD");
        assertThat(mail).contains("Subject: [PATCH]");
        assertThat(Diffs.revision(mail)).isEqualTo(revision);
    }

    @Test
    void a_new_file_has_the_same_revision_by_no_index() {
        repository.git("commit", "-q", "-m", "done");
        repository.write("fresh.md", LONG);
        ContentHash untracked = Diffs.revision(repository.git("diff", "--no-index", "/dev/null", "fresh.md"));
        repository.git("add", "fresh.md");
        assertThat(Diffs.revision(staged())).isEqualTo(untracked);
    }

    @Test
    void a_diff_of_two_names_says_from_where_to_where() {
        repository.write("copy/plain.tmp", LONG.replace("six", "6"));
        FileChange file = Diffs.file(repository.git("diff", "--no-index", "plain.txt", "copy/plain.tmp"));
        assertThat(file.oldPath()).isEqualTo("plain.txt");
        assertThat(file.newPath()).isEqualTo("copy/plain.tmp");
    }

    @Test
    void a_change_that_only_moves_because_of_lines_above_it_says_the_same_of_other_lines() {
        repository.git("commit", "-q", "-m", "done");
        repository.write("long.txt", LONG.repeat(4));
        repository.commitAll("long");
        repository.write("long.txt", LONG.repeat(3) + LONG.replace("eight", "8"));
        Diff before = Diffs.read(repository.git("diff"));
        repository.write("long.txt", "above\n".repeat(7) + LONG.repeat(4));
        repository.commitAll("lines above");
        repository.write("long.txt", "above\n".repeat(7) + LONG.repeat(3) + LONG.replace("eight", "8"));
        Diff after = Diffs.read(repository.git("diff"));
        assertThat(ContentHash.wherever(after)).isEqualTo(ContentHash.wherever(before));
        assertThat(ContentHash.of(after)).isNotEqualTo(ContentHash.of(before));
        assertThat(PositionDifference.of(before, after))
                .contains(new PositionDifference("long.txt", 35, 42, 6, PositionDifference.Difference.LINES));
    }

    @Test
    void a_merge_is_refused_as_a_combined_diff() {
        repository.git("commit", "-q", "-m", "done");
        repository.git("checkout", "-q", "-b", "side", "HEAD~1");
        repository.write("plain.txt", LONG.replace("five", "V"));
        repository.commitAll("side");
        repository.git("merge", "-q", "main", "-X", "ours");
        repository.write("plain.txt", LONG.replace("five", "neither"));
        repository.git("commit", "-q", "-a", "--amend", "-m", "merged");
        assertThat(Diffs.problem(repository.git("diff-tree", "--cc", "HEAD")).message())
                .contains("combined diff of a merge");
    }

    private String staged() {
        return repository.git("diff", "--cached", "--binary");
    }
}
