package dev.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import dev.holdfast.store.Engine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultsTest {
    private static final Goal TWICE = Goal.atLeast(2, "ours", "peer");

    @Test
    void the_median_of_an_even_number_lies_between_the_middle_two() {
        assertThat(Results.median(List.of(9.0, 1.0, 3.0)).getAsDouble()).isEqualTo(3);
        assertThat(Results.median(List.of(4.0, 1.0, 2.0, 9.0)).getAsDouble()).isEqualTo(3);
        assertThat(Results.median(List.of())).isEmpty();
    }

    @Test
    void a_figure_between_yardsticks_that_differ_by_more_than_a_quarter_is_thrown_away() {
        Results results = results(
                new Sample(1, "ours", Figure.of(100), 1_000, 1_250),
                new Sample(2, "ours", Figure.of(900), 1_000, 1_251));

        assertThat(results.figure("ours").value().getAsDouble()).isEqualTo(100);
        assertThat(results.figure("ours").kept()).isEqualTo(1);
    }

    @Test
    void a_ratio_is_taken_inside_a_round_and_only_if_the_machine_was_as_fast_for_both() {
        Results results = results(
                new Sample(1, "ours", Figure.of(300), 1_000, 1_000),
                new Sample(1, "peer", Figure.of(100), 1_000, 1_100),
                new Sample(2, "ours", Figure.of(500), 1_000, 1_000),
                new Sample(2, "peer", Figure.of(100), 2_000, 2_000));

        assertThat(results.judge(TWICE).value().getAsDouble()).isCloseTo(3, within(1e-9));
        assertThat(results.judge(TWICE).kept()).isEqualTo(1);
    }

    @Test
    void a_goal_without_a_quiet_round_is_not_judged() {
        Results results = results(
                new Sample(1, "ours", Figure.of(300), 1_000, 2_000), new Sample(1, "peer", Figure.of(100), 2_000, 900));

        assertThat(results.judge(TWICE).value()).isEmpty();
        assertThat(Report.table(List.of(results))).contains("not judged").contains("0 of 2");
    }

    @Test
    void the_table_tells_what_was_met_missed_and_not_available() {
        Results results = results(
                new Sample(1, "ours", Figure.of(12_300), 1_000, 1_000),
                new Sample(1, "peer", Figure.of(10_000), 1_000, 1_000),
                new Sample(1, "other", new NotAvailable("no node"), 1_000, 1_000));

        assertThat(Report.table(List.of(results)).lines())
                .anySatisfy(line -> assertThat(line).contains("12,300", "peer", "1.230", ">= 2.00", "MISSED", "1 of 2"))
                .anySatisfy(line -> assertThat(line).contains("other", "not available"));
    }

    @Test
    void the_json_has_every_round_and_every_verdict() {
        Results results = results(
                new Sample(1, "ours", new Figure(300, Map.of("units", 7.0), List.of("doubled")), 1_000, 1_000),
                new Sample(1, "peer", Figure.of(100), 1_000, 1_000),
                new Sample(2, "ours", Figure.of(300), 1_000, 9_000));

        JsonNode json = JsonMapper.shared()
                .readTree(JsonReport.write(
                        Instant.EPOCH, Map.of("cores", "2"), List.of(results), List.of(), results.violations()));

        JsonNode scenario = json.get("scenarios").get(0);
        assertThat(scenario.get("rounds")).hasSize(3);
        assertThat(scenario.get("rounds").get(2).get("kept").asBoolean()).isFalse();
        assertThat(scenario.get("goals").get(0).get("met").asBoolean()).isTrue();
        assertThat(json.get("violations").get(0).asString()).contains("P0", "ours", "round 1", "doubled");
        assertThat(json.get("machine").get("cores").asString()).isEqualTo("2");
    }

    private static Results results(Sample... samples) {
        List<Entry> entries = List.of(entry("ours"), entry("peer"), entry("other"));
        Scenario scenario = new Scenario("P0", "nothing", Engine.SQLITE, _ -> entries, List.of(TWICE));
        return new Results(scenario, entries, 2, List.of(samples));
    }

    private static Entry entry(String name) {
        return new Entry(name, "units/s", () -> Figure.of(0));
    }
}
