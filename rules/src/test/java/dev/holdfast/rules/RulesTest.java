package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RulesTest {
    private static final String BAD = new SampleDiff()
            .created("b.java", "<<<<<<< HEAD", "int a; ")
            .created("a.java", ">>>>>>> x")
            .text();

    @Test
    void findings_come_in_the_order_of_the_diff_with_file_and_line() {
        Judgement judgement = Judgement.of(BAD, Rules.without(Set.of()), Contents.OF_THE_DIFF);

        assertThat(judgement.approved()).isFalse();
        assertThat(judgement.reason().lines())
                .anyMatch(line -> line.startsWith("- b.java:1: conflict_markers: "))
                .anyMatch(line -> line.startsWith("- b.java:2: whitespace: "))
                .last()
                .asString()
                .startsWith("- a.java:1: conflict_markers: ");
    }

    @Test
    void one_place_is_counted_as_one() {
        String one = new SampleDiff().created("b.java", "<<<<<<< HEAD").text();
        assertThat(Judgement.of(one, Rules.without(Set.of()), Contents.OF_THE_DIFF)
                        .reason())
                .startsWith("1 rule violation:");
        assertThat(Judgement.of(BAD, Rules.without(Set.of()), Contents.OF_THE_DIFF)
                        .reason())
                .containsPattern("^\\d rule violations:");
    }

    @Test
    void each_rule_can_be_left_out() {
        for (String name : Rules.names()) {
            assertThat(Rules.without(Set.of(name)).on())
                    .doesNotContain(name)
                    .hasSize(Rules.names().size() - 1);
        }
        assertThat(Judgement.of(BAD, Rules.without(Set.of("conflict_markers", "whitespace")), Contents.OF_THE_DIFF)
                        .approved())
                .isTrue();
    }

    @Test
    void a_rule_that_does_not_exist_cannot_be_left_out() {
        assertThatThrownBy(() -> Rules.without(Set.of("secret")))
                .hasMessageContaining("secret")
                .hasMessageContaining("secrets");
    }

    @Test
    void an_approval_says_what_was_looked_at_and_what_was_not() {
        String diff = new SampleDiff().changed("a.json", "+\"a\": 1").text();

        Judgement judgement = Judgement.of(diff, Rules.without(Set.of()), Contents.OF_THE_DIFF);

        assertThat(judgement.approved()).isTrue();
        assertThat(judgement.reason()).contains("rules: conflict_markers", "nobody has judged", "not checked as JSON");
    }

    @Test
    void a_diff_that_cannot_be_read_is_not_approved_and_none_at_all_breaks_no_rule() {
        assertThat(Judgement.of("hello", Rules.without(Set.of()), Contents.OF_THE_DIFF))
                .satisfies(judgement -> assertThat(judgement.approved()).isFalse())
                .satisfies(judgement -> assertThat(judgement.reason()).contains("cannot be read"));
        assertThat(Judgement.of(null, Rules.without(Set.of()), Contents.OF_THE_DIFF)
                        .approved())
                .isTrue();
    }

    @Test
    void many_findings_are_cut_off_with_their_number() {
        SampleDiff diff = new SampleDiff();
        for (int i = 0; i < 60; i++) {
            diff.created("f" + i + ".java", "x ");
        }

        assertThat(Judgement.of(diff.text(), Rules.without(Set.of()), Contents.OF_THE_DIFF)
                        .reason())
                .endsWith("- and 10 more");
    }
}
