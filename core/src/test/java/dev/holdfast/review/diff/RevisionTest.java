package dev.holdfast.review.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RevisionTest {
    private static final String TEXT =
            "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n \n-a\n\\ No newline at end of file\n+b\n \n";

    /** Stored with every round and verdict: another hash for the same change would void them all. */
    @Test
    void the_hash_stays_what_it_is() {
        assertThat(Diffs.revision(TEXT))
                .hasToString("r2:ad6fba89b8d2e6402e9fd9fcc6773cff2b793ca3a0a1bcd3c94803cccb84078e");
        assertThat(ContentHash.wherever(Diffs.read(TEXT)))
                .hasToString("r1:602fb6f129fb07502b793c6b6aa680545d5088aac4dd5d3a96e564f87a8186f9");
    }

    @Test
    void only_a_revision_is_one() {
        assertThat(ContentHash.isRevision(Diffs.revision(TEXT).value())).isTrue();
        assertThat(ContentHash.isRevision(ContentHash.wherever(Diffs.read(TEXT)).value()))
                .isTrue();
        assertThat(ContentHash.isRevision("r2:0")).isFalse();
        assertThat(ContentHash.isRevision("r3:" + "0".repeat(64))).isFalse();
        assertThatThrownBy(() -> new ContentHash("HEAD")).hasMessageContaining("HEAD");
    }

    @Test
    void the_lines_that_it_is_about_matter_to_the_revision_and_not_to_what_it_says() {
        String elsewhere = TEXT.replace("-1,3", "-41,3");
        assertThat(Diffs.revision(elsewhere)).isNotEqualTo(Diffs.revision(TEXT));
        assertThat(ContentHash.wherever(Diffs.read(elsewhere))).isEqualTo(ContentHash.wherever(Diffs.read(TEXT)));
        String newSide = TEXT.replace("+1,3", "+9,3");
        assertThat(Diffs.revision(newSide)).isNotEqualTo(Diffs.revision(TEXT));
        assertThat(ContentHash.wherever(Diffs.read(newSide))).isEqualTo(ContentHash.wherever(Diffs.read(TEXT)));
    }

    @Test
    void the_version_that_lines_count_in_matters_by_its_first_seven_digits() {
        String text = "diff --git a/x b/x\nindex 1234567..89abcde\n" + TEXT;
        assertThat(Diffs.revision(text)).isNotEqualTo(Diffs.revision(TEXT));
        assertThat(Diffs.revision(text.replace("1234567..89abcde", "123456789..89abcde01")))
                .isEqualTo(Diffs.revision(text));
        assertThat(Diffs.revision(text.replace("1234567..", "1234568.."))).isNotEqualTo(Diffs.revision(text));
        assertThat(Diffs.revision(text.replace("..89abcde", "..89abcdf"))).isEqualTo(Diffs.revision(text));
        assertThat(Diffs.revision(text.replace("1234567..89abcde", "123456..89abcd")))
                .as("too few to tell")
                .isEqualTo(Diffs.revision(TEXT));
        assertThat(ContentHash.wherever(Diffs.read(text))).isEqualTo(ContentHash.wherever(Diffs.read(TEXT)));
        String created = "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..89abcde\n--- /dev/null\n+++ b/x\n"
                + "@@ -0,0 +1 @@\n+a\n";
        assertThat(Diffs.revision(created.replace("0000000", "1234567"))).isEqualTo(Diffs.revision(created));
    }

    @Test
    void empty_context_lines_count_with_or_without_their_space() {
        assertThat(Diffs.revision(TEXT.replace("\n \n", "\n\n"))).isEqualTo(Diffs.revision(TEXT));
    }

    @Test
    void the_language_that_git_speaks_does_not_matter() {
        assertThat(Diffs.revision(TEXT.replace("No newline at end of file", "Kein Zeilenumbruch am Dateiende.")))
                .isEqualTo(Diffs.revision(TEXT));
    }

    @Test
    void a_missing_newline_at_the_end_of_the_file_matters() {
        assertThat(Diffs.revision(TEXT.replace("\\ No newline at end of file\n", "")))
                .isNotEqualTo(Diffs.revision(TEXT));
    }

    @Test
    void a_binary_file_without_its_content_is_known_by_its_blobs() {
        String text = "diff --git a/x b/x\nindex 1234567..89abcde 100644\nBinary files a/x and b/x differ\n";
        assertThat(Diffs.revision(text.replace("89abcde", "89abcdf"))).isNotEqualTo(Diffs.revision(text));
        assertThat(Diffs.revision(text.replace("1234567", "1234568"))).isNotEqualTo(Diffs.revision(text));
    }

    /** A delta is the same for two versions of a file that differ elsewhere. */
    @Test
    void the_version_that_a_binary_patch_counts_in_matters() {
        String text = "diff --git a/x b/x\nindex 1234567..89abcde 100644\nGIT binary patch\ndelta 4\n"
                + "LcmZQzWMT#Y01f~L\n\ndelta 3\nKcmZQzWMlvU00RI3\n\n";
        assertThat(Diffs.revision(text.replace("1234567", "1234568"))).isNotEqualTo(Diffs.revision(text));
    }

    /** The target of a link is a text like any other: only the mode tells it from a file. */
    @Test
    void the_mode_that_stays_matters() {
        String text = "diff --git a/x b/x\nindex 1234567..89abcde 100644\n" + TEXT;
        assertThat(Diffs.revision(text.replace("100644", "120000"))).isNotEqualTo(Diffs.revision(text));
        assertThat(Diffs.revision(text.replace("100644", "100755"))).isNotEqualTo(Diffs.revision(text));
        assertThat(Diffs.revision(text.replace(" 100644", ""))).isNotEqualTo(Diffs.revision(text));
        assertThat(ContentHash.wherever(Diffs.read(text.replace("100644", "120000"))))
                .as("as it was until r2:")
                .isEqualTo(ContentHash.wherever(Diffs.read(text)));
    }

    /** Where git apply strips the first folder, a reader takes it for a part of the path. */
    @Test
    void a_folder_before_the_path_that_is_not_gits_matters() {
        String text = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n";
        for (String odd : new String[] {
            text.replace("a/x b/x", "docs/x doc/x").replace("+ b/x", "+ doc/x"), text.replace("+ b/x", "+ docs/x")
        }) {
            assertThat(Diffs.file(odd).path()).isEqualTo("x");
            assertThat(Diffs.revision(odd)).isNotEqualTo(Diffs.revision(text));
            assertThat(ContentHash.wherever(Diffs.read(odd))).isNotEqualTo(ContentHash.wherever(Diffs.read(text)));
        }
        assertThat(Diffs.revision(text.replace("a/x b/x", "i/x w/x").replace("+ b/x", "+ w/x")))
                .isEqualTo(Diffs.revision(text));
        assertThat(Diffs.revision(text.replace("a/x b/x", "x x").replace("+ b/x", "+ x")))
                .isEqualTo(Diffs.revision(text));
    }

    @Test
    void bytes_in_a_name_are_not_the_name_that_reads_like_their_escapes() {
        String bytes = "diff --git \"a/\\377\" \"b/\\377\"\nold mode 100644\nnew mode 100755\n";
        String escapes = "diff --git \"a/\\\\377\" \"b/\\\\377\"\nold mode 100644\nnew mode 100755\n";
        assertThat(Diffs.file(bytes).path()).isEqualTo(Diffs.file(escapes).path());
        assertThat(Diffs.revision(bytes)).isNotEqualTo(Diffs.revision(escapes));
        assertThat(Diffs.revision("diff --git a/\\377 b/\\377\nold mode 100644\nnew mode 100755\n"))
                .isEqualTo(Diffs.revision(escapes));
        String renamed = "diff --git a/x \"b/\\377\"\nrename from x\nrename to \"\\377\"\n";
        assertThat(Diffs.revision(renamed)).isNotEqualTo(Diffs.revision(renamed.replace("\\377", "\\\\377")));
    }

    @Test
    void a_rename_that_names_one_end_is_none() {
        assertThat(Diffs.problem("diff --git a/x b/x\nrename from y\nold mode 100644\nnew mode 100755\n")
                        .message())
                .contains("must name both");
    }

    @Test
    void the_order_of_patches_to_the_same_file_matters() {
        String other = TEXT.replace("+b", "+c");
        assertThat(Diffs.revision(TEXT + other)).isNotEqualTo(Diffs.revision(other + TEXT));
    }
}
