package dev.holdfast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({"90, 90", "90s, 90", "45m, 2700", "2h, 7200", "0, 0"})
    void times_are_read_with_and_without_a_unit(String text, long seconds) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "1w", "-5", "1.5h", "45 m", "1m30s", "٣m", "9999999999", "+5"})
    void anything_else_is_refused(String text) {
        assertThatThrownBy(() -> DurationText.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "59, 59s", "60, 1m", "125, 2m 5s", "3600, 1h", "7440, 2h 4m", "90000, 1d 1h", "-3, 0s"})
    void spans_are_shown_by_their_two_largest_units(long seconds, String text) {
        assertThat(DurationText.show(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @Test
    void parts_of_a_second_are_left_out() {
        assertThat(DurationText.show(Duration.ofMillis(1999))).isEqualTo("1s");
    }
}
