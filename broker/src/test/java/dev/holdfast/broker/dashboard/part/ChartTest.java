package dev.holdfast.broker.dashboard.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChartTest {
    private static Chart of(@Nullable Double... values) {
        return new Chart(
                "Time to verdict",
                "",
                "",
                List.of(new Chart.Series("median", "sea", Arrays.asList(values))),
                List.of(),
                List.of("00:00", "01:00", "02:00", "03:00", "04:00"),
                false,
                -1,
                "",
                false);
    }

    private static String path(Chart chart) {
        return chart.path(chart.series().getFirst());
    }

    @Test
    void where_nothing_was_measured_there_is_a_gap_and_the_table_says_none() {
        Chart chart = of(4.0, 2.0, null, 4.0, null);

        assertThat(path(chart)).isEqualTo("M0.0 0.0h0L60.0 40.0M180.0 0.0h0");
        assertThat(chart.dot(chart.series().getFirst())).isEqualTo("M180.0 0.0h0");
        assertThat(chart.table().stream().flatMap(line -> line.values().stream()))
                .containsExactly("none", "4", "none", "2", "4");
        assertThat(chart.says()).isEqualTo("median now none");
    }

    @Test
    void where_nothing_was_ever_measured_nothing_is_drawn() {
        Chart chart = of(null, null, null, null, null);

        assertThat(path(chart)).isEmpty();
        assertThat(chart.dot(chart.series().getFirst())).isEmpty();
        assertThat(chart.axis()).containsExactly("4", "2", "0");
    }
}
