package dev.holdfast.broker.dashboard.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.dashboard.part.Prose.Piece;
import org.junit.jupiter.api.Test;

class ProseTest {
    @Test
    void what_stands_between_backticks_is_code_and_nothing_is_lost() {
        assertThat(Prose.of("Take `lock(tx)`, not `find`"))
                .containsExactly(
                        new Piece(false, "Take "),
                        new Piece(true, "lock(tx)"),
                        new Piece(false, ", not "),
                        new Piece(true, "find"));
        assertThat(Prose.of("")).isEmpty();
    }

    @Test
    void a_backtick_alone_an_empty_pair_and_one_over_two_lines_are_text() {
        for (String text : new String[] {"5` wide", "``", "`a\nb`"}) {
            assertThat(Prose.of(text)).containsExactly(new Piece(false, text));
        }
    }
}
