package dev.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import dev.holdfast.store.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartsTest {
    @TempDir
    Path folder;

    @Test
    void a_row_says_in_words_what_was_met_missed_and_not_available() throws Exception {
        String svg = drawn("p0.svg");

        assertThat(svg)
                .contains("✓ met", "at least 2 × peer &amp; &lt;co&gt;, and it is 3.00 ×")
                .contains("✗ missed", "at most 100 units/s")
                .contains("– not judged", "at least 4 × other: that is not available here")
                .contains("prefers-color-scheme: dark")
                .doesNotContain("<script");
    }

    @Test
    void a_family_of_growth_is_one_picture_with_both_stores() throws Exception {
        assertThat(drawn("growth-pages.svg"))
                .contains("PostgreSQL, ms", "SQLite, ms", "1,000,000")
                .contains("✓ met", "1.10 ×")
                .contains("✗ missed", "3.00 ×");
    }

    @Test
    void a_little_more_is_no_growth_where_both_are_tiny() {
        assertThat(curve("SQLite", 0.2, 1.1).met()).isTrue();
        assertThat(curve("SQLite", 0.2, 1.3).met()).isFalse();
        assertThat(curve("SQLite", 10, 14.9).met()).isTrue();
        assertThat(curve("SQLite", 10, 15.1).met()).isFalse();
    }

    /** By the way that the command takes: what a run has written is drawn without another run. */
    private String drawn(String name) throws Exception {
        List<Entry> entries = List.of(entry("ours"), entry("peer & <co>"), entry("other"));
        Scenario scenario = new Scenario(
                "P0",
                "nothing",
                Engine.SQLITE,
                _ -> entries,
                List.of(
                        Goal.atLeast(2, "ours", "peer & <co>"),
                        Goal.atMost(100, "ours", null),
                        Goal.atLeast(4, "ours", "other")));
        Results results = new Results(
                scenario,
                entries,
                1,
                List.of(
                        new Sample(1, "ours", Figure.of(300), 1_000, 1_000),
                        new Sample(1, "peer & <co>", Figure.of(100), 1_000, 1_000),
                        new Sample(1, "other", new NotAvailable("no node"), 1_000, 1_000)));
        Path json = folder.resolve("figures.json");
        Files.writeString(
                json,
                JsonReport.write(
                        Instant.EPOCH,
                        Map.of(),
                        List.of(results),
                        List.of(curve("PostgreSQL", 10, 11), curve("SQLite", 10, 30)),
                        List.of()));

        Bench.main(new String[] {
            "--from", json.toString(), "--charts", folder.resolve("charts").toString()
        });

        Path file = folder.resolve("charts").resolve(name);
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        return Files.readString(file);
    }

    private static Curve curve(String store, double first, double last) {
        TreeMap<Integer, Double> points = new TreeMap<>(Map.of(1_000, first, 1_000_000, last));
        return new Curve("pages", store, "Overview", "ms", "rows", 21, points, points);
    }

    private static Entry entry(String name) {
        return new Entry(name, "units/s", () -> Figure.of(0));
    }
}
