package dev.holdfast.review.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiffTest {
    private static final String SIMPLE = """
            diff --git a/src/A.java b/src/A.java
            index 111..222 100644
            --- a/src/A.java
            +++ b/src/A.java
            @@ -1,3 +1,4 @@ class A {
             one
            -two
            +TWO
            +two and a half
             three
            """;

    @Test
    void a_modified_file_has_its_path_counts_and_numbered_lines() {
        FileChange file = Diffs.file(SIMPLE);
        assertThat(file.operation()).isEqualTo(Operation.MODIFY);
        assertThat(file.oldPath()).isEqualTo("src/A.java");
        assertThat(file.path()).isEqualTo("src/A.java");
        assertThat(file.added()).isEqualTo(2);
        assertThat(file.removed()).isEqualTo(1);
        assertThat(file.hunks().getFirst().section()).isEqualTo("class A {");
        assertThat(file.lines())
                .containsExactly(
                        new DiffLine(DiffLine.Kind.CONTEXT, "one", false, 1, 1),
                        new DiffLine(DiffLine.Kind.REMOVED, "two", false, 2, 2),
                        new DiffLine(DiffLine.Kind.ADDED, "TWO", false, 3, 2),
                        new DiffLine(DiffLine.Kind.ADDED, "two and a half", false, 3, 3),
                        new DiffLine(DiffLine.Kind.CONTEXT, "three", false, 3, 4));
    }

    @Test
    void a_plain_unified_diff_is_read_too() {
        FileChange file = Diffs.file("""
                --- src/a.txt\t2026-01-01 10:00:00.000000000 +0000
                +++ src/a.txt\t2026-01-02 10:00:00.000000000 +0000
                @@ -1 +1 @@
                -old
                +new
                """);
        assertThat(file.operation()).isEqualTo(Operation.MODIFY);
        assertThat(file.path()).isEqualTo("src/a.txt");
    }

    @Test
    void a_plain_diff_of_two_folders_names_the_path_inside_them() {
        Diff diff = Diffs.read("""
                diff -ruN before/x.txt after/x.txt
                --- before/x.txt\t2026-01-01 10:00:00.000000000 +0000
                +++ after/x.txt\t2026-01-02 10:00:00.000000000 +0000
                @@ -1 +1 @@
                -old
                +new
                diff -ruN before/y.txt after/y.txt
                --- before/y.txt\t1970-01-01 00:00:00.000000000 +0000
                +++ after/y.txt\t2026-01-02 10:00:00.000000000 +0000
                @@ -0,0 +1 @@
                +new
                Binary files before/z.bin and after/z.bin differ
                """);
        assertThat(diff.affectedFiles().stream().map(AffectedFile::operation))
                .containsExactly("modify", "create", "modify");
        assertThat(diff.files().getFirst().path()).isEqualTo("x.txt");
        assertThat(diff.files().getLast().path()).isEqualTo("z.bin");
        assertThat(diff.files().getLast().binary()).isNotNull();
    }

    @Test
    void created_deleted_renamed_copied_and_mode_changed_files_are_told_apart() {
        Diff diff = Diffs.read("""
                diff --git a/new.txt b/new.txt
                new file mode 100644
                index 0000000..257cc56
                --- /dev/null
                +++ b/new.txt
                @@ -0,0 +1 @@
                +foo
                diff --git a/empty b/empty
                new file mode 100755
                index 0000000..e69de29
                diff --git a/gone.txt b/gone.txt
                deleted file mode 100644
                index 257cc56..0000000
                --- a/gone.txt
                +++ /dev/null
                @@ -1 +0,0 @@
                -foo
                diff --git a/from here.txt b/to there.txt
                similarity index 90%
                rename from from here.txt
                rename to to there.txt
                --- a/from here.txt\t
                +++ b/to there.txt\t
                @@ -1,2 +1,2 @@
                 a
                -b
                +c
                diff --git a/x b/y
                similarity index 100%
                copy from x
                copy to y
                diff --git a/run.sh b/run.sh
                old mode 100644
                new mode 100755
                """);
        assertThat(diff.files().stream().map(FileChange::operation))
                .containsExactly(
                        Operation.CREATE,
                        Operation.CREATE,
                        Operation.DELETE,
                        Operation.RENAME,
                        Operation.COPY,
                        Operation.MODE_CHANGE);
        assertThat(diff.affectedFiles().stream().map(AffectedFile::json))
                .containsExactly(
                        Map.of(
                                "path",
                                "new.txt",
                                "operation",
                                "create",
                                "added",
                                1,
                                "removed",
                                0,
                                "new_mode",
                                "100644"),
                        Map.of("path", "empty", "operation", "create", "added", 0, "removed", 0, "new_mode", "100755"),
                        Map.of(
                                "path",
                                "gone.txt",
                                "operation",
                                "delete",
                                "added",
                                0,
                                "removed",
                                1,
                                "old_mode",
                                "100644"),
                        Map.of(
                                "path",
                                "to there.txt",
                                "operation",
                                "rename",
                                "added",
                                1,
                                "removed",
                                1,
                                "old_path",
                                "from here.txt"),
                        Map.of("path", "y", "operation", "copy", "added", 0, "removed", 0, "old_path", "x"),
                        Map.of(
                                "path",
                                "run.sh",
                                "operation",
                                "modify",
                                "added",
                                0,
                                "removed",
                                0,
                                "old_mode",
                                "100644",
                                "new_mode",
                                "100755"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a/x y/z.txt b/x y/z.txt      | x y/z.txt | 1",
                "dir/x.txt dir/x.txt          | dir/x.txt | 0",
                "a/x.txt a/x.txt              | a/x.txt   | 0",
                "x.txt x.txt                  | x.txt     | 0",
                "i/x.txt w/x.txt              | x.txt     | 1",
                "c/a/x.txt i/a/x.txt          | a/x.txt   | 1",
                "old/x.txt new/x.txt          | x.txt     | 1",
            })
    void a_path_is_found_with_any_prefix_and_with_spaces(String names, String path, int strip) {
        String text = "diff --git " + names + "\nold mode 100644\nnew mode 100755\n";
        assertThat(Diffs.file(text).path()).isEqualTo(path);
        assertThat(Diffs.read(text).strip()).isEqualTo(strip);
    }

    @Test
    void a_quoted_path_is_read_as_git_means_it() {
        String text = """
                diff --git "a/\\303\\251 \\"t\\".txt" "b/\\303\\251 \\"t\\".txt"
                --- "a/\\303\\251 \\"t\\".txt"
                +++ "b/\\303\\251 \\"t\\".txt"
                @@ -1 +1 @@
                -a
                +b
                """;
        assertThat(Diffs.file(text).path()).isEqualTo("é \"t\".txt");
        assertThat(Diffs.file("diff --git a/x.txt \"b/x\\ty\"\nrename from x.txt\nrename to \"x\\ty\"\n")
                        .path())
                .isEqualTo("x\ty");
    }

    @Test
    void a_quoted_path_that_is_not_utf_8_keeps_its_escapes() {
        assertThat(Diffs.file("diff --git \"a/\\351\" \"b/\\351\"\nold mode 100644\nnew mode 100755\n")
                        .path())
                .isEqualTo("\\351");
    }

    @Test
    void binary_files_without_names_are_none() {
        Diff diff = Diffs.read("""
                Binary files differ
                diff --git a/c.txt b/c.txt
                old mode 100644
                new mode 100755
                """);

        assertThat(diff.files()).hasSize(1);
    }

    @Test
    void both_kinds_of_binary_change_are_seen() {
        Diff diff = Diffs.read("""
                diff --git a/a.bin b/a.bin
                index 1234567..89abcde 100644
                Binary files a/a.bin and b/a.bin differ
                diff --git a/b.bin b/b.bin
                index 1234567890123456789012345678901234567890..89abcde890123456789012345678901234567890 100644
                GIT binary patch
                literal 4
                LcmZQzWMT#Y01f~L

                literal 3
                KcmZQzWMlvU00RI3

                diff --git a/c.txt b/c.txt
                old mode 100644
                new mode 100755
                """);
        assertThat(diff.files()).hasSize(3);
        assertThat(diff.files().get(0).binary()).isEqualTo(new FileChange.Binary(null, "1234567..89abcde"));
        assertThat(diff.files().get(1).binary())
                .extracting(FileChange.Binary::patch)
                .asString()
                .contains("literal 3");
        assertThat(diff.files().get(0).operation()).isEqualTo(Operation.MODIFY);
    }

    @Test
    void carriage_returns_are_content_and_not_part_of_names() {
        FileChange file = Diffs.file("diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n");
        assertThat(file.path()).isEqualTo("x");
        assertThat(file.lines().stream().map(DiffLine::text)).containsExactly("a\r", "b\r");
    }

    @Test
    void a_missing_newline_at_the_end_of_the_file_belongs_to_its_line() {
        FileChange file = Diffs.file("""
                --- a/x
                +++ b/x
                @@ -1 +1,2 @@
                -a
                \\ No newline at end of file
                +a
                +b
                \\ No newline at end of file
                """);
        assertThat(file.lines().stream().map(DiffLine::noNewline)).containsExactly(true, false, true);
        assertThat(file.added()).isEqualTo(2);
    }

    @Test
    void mails_of_several_commits_are_read_and_what_is_around_the_diffs_is_skipped() {
        String mail = """
                From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
                From: A <a@example.com>
                Date: Thu, 1 Jan 2026 00:00:00 +0000
                Subject: [PATCH %d/2] something
                 that is long

                - a list
                + in the message
                ---
                 x | 2 +-
                 1 file changed, 1 insertion(+), 1 deletion(-)

                diff --git a/x%d b/x%d
                --- a/x%d
                +++ b/x%d
                @@ -1 +1 @@
                -a
                +b
                --\s
                2.39.5

                """;
        Diff diff = Diffs.read(mail.replace("%d", "1") + mail.replace("%d", "2"));
        assertThat(diff.files().stream().map(FileChange::path)).containsExactly("x1", "x2");
        assertThat(diff.files().stream().mapToInt(FileChange::removed)).containsExactly(1, 1);
    }

    @Test
    void a_removed_line_that_looks_like_a_header_is_a_removed_line() {
        FileChange file = Diffs.file("""
                --- a/x.sql
                +++ b/x.sql
                @@ -1,2 +1,2 @@
                --- a comment
                -diff --git a/y b/y
                +++ b/y
                +@@ -1 +1 @@
                """);
        assertThat(file.lines().stream().map(DiffLine::text))
                .containsExactly("-- a comment", "diff --git a/y b/y", "++ b/y", "@@ -1 +1 @@");
    }

    @Test
    void one_file_in_several_patches_is_one_affected_file() {
        Diff diff = Diffs.read("""
                diff --git a/x b/x
                new file mode 100644
                --- /dev/null
                +++ b/x
                @@ -0,0 +1 @@
                +a
                diff --git a/x b/x
                --- a/x
                +++ b/x
                @@ -1 +1,2 @@
                 a
                +b
                diff --git a/link b/link
                deleted file mode 100644
                --- a/link
                +++ /dev/null
                @@ -1 +0,0 @@
                -a
                diff --git a/link b/link
                new file mode 120000
                --- /dev/null
                +++ b/link
                @@ -0,0 +1 @@
                +x
                \\ No newline at end of file
                """);
        assertThat(diff.affectedFiles())
                .containsExactly(
                        new AffectedFile("x", "create", 2, 0, null, null, "100644", false),
                        new AffectedFile("link", "modify", 1, 1, null, "100644", "120000", false));
    }

    @Test
    void what_the_end_of_the_text_lost_is_put_back_and_nothing_else_is_changed() {
        assertThat(Diffs.read(SIMPLE).normalised()).isEqualTo(SIMPLE);
        assertThat(Diffs.read(SIMPLE.stripTrailing()).normalised()).isEqualTo(SIMPLE);
        String blankEnd = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\n \n \n";
        assertThat(Diffs.read(blankEnd.strip()).normalised()).isEqualTo(blankEnd);
        String binary = "diff --git a/b b/b\nGIT binary patch\nliteral 4\nLcmZQzWMT#Y01f~L\n\n";
        assertThat(Diffs.read(binary.strip()).normalised()).isEqualTo(binary);
        assertThat(Diffs.read(binary.strip() + "\n").normalised()).isEqualTo(binary);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                         | 1 | the diff is empty",
                "just words                                                 | 1 | no changed file was found",
                "@@ -1 +1 @@~-a~+b~                                         | 1 | a hunk without the lines that name its file",
                "diff --cc x~index 1,2..3~--- a/x~+++ b/x~@@@ -1,1 -1,1 +1,1 @@@~ | 1 | combined diff",
                "--- a/x~+++ b/x~@@ -1,3 +1 @@~-a~+b~diff --git a/y b/y~    | 6 | announces 3 old and 1 new lines, but ends here",
                "--- a/x~+++ b/x~@@ -1 +1 @@~-a~-b~+c~                      | 5 | one more",
                "--- a/x~+++ b/x~@@ -1 +1 @@~-a~+b~+c~                      | 6 | announces fewer lines",
                "--- a/x~+++ b/x~@@ -1 +1 @@~-a~+b~~+c~                     | 7 | announces fewer lines",
                "diff --git a/x b/x~--- a/x~+++ b/x~@@ nonsense~            | 4 | a hunk",
                "diff --git a/x b/x~--- a/x~oops~                           | 3 | +++",
                "diff --git a/x b/y~old mode 100644~new mode 100755~        | 1 | does not say which file",
                "diff --git a/x b/x~--- a/x~+++ b/y~@@ -1 +1 @@~-a~+b~      | 1 | name different files: x and b/y",
                "diff --git a/x b/x~GIT binary patch~nonsense~              | 3 | literal",
                "diff --git a/x b/x~GIT binary patch~literal 3~%%%~         | 4 | not a line of a binary patch",
                "--- a/x~+++ b/x~@@ -99999999999 +1 @@~+a~                  | 3 | not a hunk header",
            })
    void what_cannot_be_read_is_told_with_its_line(String text, int line, String message) {
        DiffProblem problem = Diffs.problem(text.replace('~', '\n'));
        assertThat(problem.message()).contains(message);
        assertThat(problem.line()).isEqualTo(line);
    }

    @Test
    void colours_and_half_characters_are_named() {
        assertThat(Diffs.problem("\u001b[1mdiff --git a/x b/x\u001b[m\n").message())
                .contains("--no-color");
        assertThat(Diffs.problem("diff --git a/x b/x\n\ud800").message()).contains("half a character");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+\n",
                "-- \n",
                "--- a\n",
                "@@ -1 +1 @@\n",
                "diff --git a/x b/x\n",
                "\n",
                "\"",
                "diff --git \"",
                " "
            })
    void five_million_characters_of_anything_are_read_in_linear_time(String piece) {
        String start = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n";
        parseInLinearTime(start + piece.repeat(5_000_000 / piece.length()));
        parseInLinearTime("diff --git " + piece.repeat(5_000_000 / piece.length()));
    }

    @Test
    void a_large_diff_is_read_quickly_and_its_lines_can_be_asked_for() {
        int lines = 100_000;
        String text = "--- a/x\n+++ b/x\n@@ -0,0 +1," + lines + " @@\n"
                + "+0123456789012345678901234567890123456789012345678\n".repeat(lines);
        assertThat(text.length()).isGreaterThan(5_000_000);
        parseInLinearTime(text);
        List<DiffLine> read = Diffs.file(text).lines();
        assertThat(read).hasSize(lines);
        assertThat(read.getLast().newNumber()).isEqualTo(lines);
    }

    /** In quadratic time it would take hours. */
    private static void parseInLinearTime(String text) {
        assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> assertThat(Diff.parse(text)).isNotNull());
    }
}
