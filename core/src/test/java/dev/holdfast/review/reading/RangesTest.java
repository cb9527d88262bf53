package dev.holdfast.review.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.review.reading.Ranges.Range;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RangesTest {
    @Test
    void they_are_what_was_shown_and_nothing_else() {
        Random random = new Random(11);
        for (int run = 0; run < 200; run++) {
            BitSet expected = new BitSet();
            Ranges ranges = Ranges.NONE;
            for (int i = 0; i < 20; i++) {
                int from = random.nextInt(100);
                int to = from + random.nextInt(15);
                expected.set(from, to);
                ranges = Ranges.read(ranges.with(from, to).toString());
            }
            BitSet covered = new BitSet();
            ranges.all().forEach(range -> covered.set(range.from(), range.to()));
            assertThat(covered).isEqualTo(expected);
            assertThat(ranges.length()).isEqualTo(expected.cardinality());
            BitSet missing = new BitSet();
            ranges.missing(120).forEach(range -> missing.set(range.from(), range.to()));
            expected.flip(0, 120);
            assertThat(missing).isEqualTo(expected);
        }
    }

    @Test
    void what_touches_becomes_one() {
        assertThat(Ranges.NONE.with(0, 5).with(10, 15).with(5, 10)).hasToString("0-15");
        assertThat(Ranges.NONE.with(3, 3)).isEqualTo(Ranges.NONE);
    }

    @Test
    void who_reads_with_too_many_gaps_reads_the_shortest_again() {
        Ranges ranges = Ranges.NONE;
        for (int i = 0; i < Ranges.MAX; i++) {
            ranges = ranges.with(10 * i, 10 * i + 5);
        }
        assertThat(ranges.with(90_000, 90_001)).isEqualTo(ranges);
        assertThat(ranges.with(90_000, 90_009).all())
                .hasSize(Ranges.MAX)
                .contains(new Range(90_000, 90_009))
                .doesNotContain(new Range(0, 5));
    }

    @Test
    void a_part_cuts_no_character_in_half_and_always_goes_on() {
        String text = "a😀b";
        assertThat(TextSlice.of(text, 0, 2)).isEqualTo(new TextSlice("a", 0, 1, 4));
        assertThat(TextSlice.of(text, 1, 1)).isEqualTo(new TextSlice("😀", 1, 3, 4));
        assertThat(TextSlice.of(text, 2, 1).from()).isEqualTo(1);
        assertThat(TextSlice.of(text, 3, Long.MAX_VALUE)).isEqualTo(new TextSlice("b", 3, 4, 4));
        assertThat(TextSlice.of(text, 3, 1).next()).isNull();
        assertThat(TextSlice.of(text, 0, 1).next()).isEqualTo(1);
        assertThat(TextSlice.of(text, Long.MAX_VALUE, 1)).isEqualTo(new TextSlice("", 4, 4, 4));
        assertThat(TextSlice.of(null, 0, 1)).isEqualTo(TextSlice.NONE);
    }
}
