package dev.holdfast.broker.dashboard.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
    private static List<String> marked(String line, List<int[]> ranges) {
        return ranges.stream().map(range -> line.substring(range[0], range[1])).toList();
    }

    @Test
    void only_the_words_that_differ_are_marked_on_each_side() {
        String before = "Capture capture = captures.find(tx, id);";
        String after = "Capture capture = captures.lock(tx, id, now);";
        Words.Changed changed = Words.between(before, after);

        assertThat(marked(before, changed.before())).containsExactly("find");
        assertThat(marked(after, changed.after())).containsExactly("lock", ", now");
    }

    @Test
    void lines_that_are_less_than_half_alike_are_marked_as_a_whole_or_not_at_all() {
        Words.Changed changed = Words.between("return null;", "throw new NotFound(\"no such capture: \" + id);");

        assertThat(changed.before()).isEmpty();
        assertThat(changed.after()).isEmpty();
    }

    @Test
    void code_is_coloured_by_the_language_of_the_file_and_none_of_it_is_lost() {
        String line = "long left = 41; // of \"captures\"";
        List<Span> spans = new Syntax(Language.of("src/Refunds.java")).spans(line);

        assertThat(spans.stream().map(Span::text).reduce("", String::concat)).isEqualTo(line);
        assertThat(spans).contains(new Span("k1", "long"), new Span("k3", "41"), new Span("k5", "// of \"captures\""));
        assertThat(new Syntax(Language.of("notes.unknown")).spans(line)).containsExactly(new Span("", line));
    }
}
