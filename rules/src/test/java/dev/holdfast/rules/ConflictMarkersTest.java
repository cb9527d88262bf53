package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConflictMarkersTest {
    private final Rule rule = new ConflictMarkers();

    @Test
    void every_marker_of_a_conflict_is_found() {
        assertThat(new SampleDiff()
                        .changed(
                                "a.java",
                                " x",
                                "+<<<<<<< HEAD",
                                "+one",
                                "+||||||| base",
                                "+=======",
                                "+two",
                                "+>>>>>>> topic")
                        .places(rule))
                .containsExactly("a.java:11", "a.java:13", "a.java:14", "a.java:16");
    }

    @Test
    void a_marker_that_is_left_alone_is_found() {
        assertThat(new SampleDiff().created("a.txt", "text", ">>>>>>> topic").places(rule))
                .containsExactly("a.txt:2");
    }

    @Test
    void a_title_with_a_line_under_it_is_none() {
        assertThat(new SampleDiff().created("README.rst", "Holdfast", "=======").places(rule))
                .isEmpty();
    }

    @Test
    void longer_rows_quoted_ones_and_old_ones_are_none() {
        assertThat(new SampleDiff()
                        .changed(
                                "a.c",
                                " <<<<<<< HEAD",
                                "-<<<<<<< HEAD",
                                "+<<<<<<<< eight",
                                "+    <<<<<<< indented",
                                "+x = \"<<<<<<< HEAD\"")
                        .places(rule))
                .isEmpty();
    }
}
