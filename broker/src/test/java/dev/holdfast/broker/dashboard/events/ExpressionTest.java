package dev.holdfast.broker.dashboard.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.InvalidException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
    private static final long STEPS = 50_000_000;

    /** Java's own engine tries every one of 2 to the 60th ways through the empty alternatives, without reading a character. */
    @ParameterizedTest
    @ValueSource(strings = {"((a+)+)+!", "(a|a)*!", "(a|aa)+$!"})
    @Timeout(10)
    void what_backtracks_forever_elsewhere_is_answered_at_once(String text) {
        assertThat(new Expression(text, STEPS).finds("a".repeat(10_000))).isFalse();
        assertThat(new Expression("\\z" + "(|)".repeat(60) + "x", STEPS).finds("a"))
                .isFalse();
    }

    @Test
    void it_finds_whatever_the_case() {
        assertThat(new Expression("KEY:k1[0-3]", STEPS).finds("claimed key:K12 bob"))
                .isTrue();
    }

    @Test
    void one_that_does_too_much_in_all_is_refused() {
        Expression large = new Expression("(abc){300}", 1_000_000);

        assertThatThrownBy(() -> new Expression("((a{100}){100}){100}", STEPS)).hasMessageContaining("takes too long");
        assertThat(large.finds("a".repeat(500))).isFalse();
        assertThatThrownBy(() -> large.finds("a".repeat(5_000)))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("takes too long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "a{2000}", "(?!a)", "(a)\\1"})
    void one_that_is_wrong_or_needs_backtracking_is_refused(String text) {
        assertThatThrownBy(() -> new Expression(text, STEPS))
                .isInstanceOf(InvalidException.class)
                .hasMessageStartingWith("Not a valid regular expression: ");
    }
}
