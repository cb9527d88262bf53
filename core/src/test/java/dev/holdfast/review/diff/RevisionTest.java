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
                .hasToString("r1:602fb6f129fb07502b793c6b6aa680545d5088aac4dd5d3a96e564f87a8186f9");
    }

    @Test
    void only_a_revision_is_one() {
        assertThat(Revision.isRevision(Diffs.revision(TEXT).value())).isTrue();
        assertThat(Revision.isRevision("r1:0")).isFalse();
        assertThatThrownBy(() -> new Revision("HEAD")).hasMessageContaining("HEAD");
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
        assertThat(Diffs.revision(text.replace(" 100644", ""))).isEqualTo(Diffs.revision(text));
    }

    @Test
    void the_order_of_patches_to_the_same_file_matters() {
        String other = TEXT.replace("+b", "+c");
        assertThat(Diffs.revision(TEXT + other)).isNotEqualTo(Diffs.revision(other + TEXT));
    }
}
