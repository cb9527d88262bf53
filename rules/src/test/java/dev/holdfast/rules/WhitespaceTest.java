package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WhitespaceTest {
    private final Rule rule = new Whitespace();

    @Test
    void spaces_at_the_end_are_found_once_for_each_file() {
        assertThat(new SampleDiff()
                        .changed("a.java", " x", "+int a; ", "+int b;\t", "+int c;")
                        .by(rule, Contents.OF_THE_DIFF))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.line()).isEqualTo(11);
                    assertThat(finding.message()).contains("1 more");
                });
    }

    @Test
    void spaces_that_mean_something_or_were_there_are_fine() {
        assertThat(new SampleDiff()
                        .created("README.md", "break  ", "text")
                        .created("fix.patch", " context ")
                        .changed("a.java", " old ", "-moved ", "+moved ")
                        .changed("b.java", "-bad ", "+bad")
                        .places(rule))
                .isEmpty();
    }

    @Test
    void a_space_before_a_tab_is_found() {
        assertThat(new SampleDiff()
                        .created("Makefile", "all:", "\techo", "  \techo")
                        .places(rule))
                .containsExactly("Makefile:3");
    }

    @Test
    void text_that_runs_backwards_is_found() {
        assertThat(new SampleDiff()
                        .created("a.js", "ok", "if (admin) { // \u202e } ")
                        .places(rule))
                .contains("a.js:2");
    }

    @Test
    void a_file_that_gets_two_kinds_of_line_ends_is_found() {
        assertThat(new SampleDiff().changed("a.java", " x", "-y", "+y\r").places(rule))
                .containsExactly("a.java:11");
        assertThat(new SampleDiff().created("b.java", "x\r", "y").places(rule)).containsExactly("b.java:1");
    }

    @Test
    void a_file_that_has_only_the_other_kind_is_fine() {
        assertThat(new SampleDiff()
                        .created("a.bat", "x\r", "y\r")
                        .changed("b.cs", " x\r", "-y\r", "+z\r")
                        .changed("c.cs", " x\r", "-y\r", "+z\r", " w\r")
                        .places(rule))
                .isEmpty();
    }
}
