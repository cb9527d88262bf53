package dev.holdfast.broker.dashboard.diff;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowsTest {
    @Test
    void a_line_without_a_newline_says_so_and_its_text_stays_its_own() {
        ChangeView change = ChangeView.of("""
                diff --git a/x.txt b/x.txt
                --- a/x.txt
                +++ b/x.txt
                @@ -1 +1 @@
                -old
                \\ No newline at end of file
                +new
                """, false);

        assertThat(change.files().getFirst().rows())
                .filteredOn(DiffRow.Line.class::isInstance)
                .extracting(row -> ((DiffRow.Line) row)
                        .spans().stream()
                                .filter(span -> span.look().equals("no-newline"))
                                .count())
                .containsExactly(1L, 0L);
        assertThat(((DiffRow.Line) change.files().getFirst().rows().get(1)).spans())
                .extracting(Span::text)
                .containsOnly("old", "");
    }
}
