package dev.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
    @TempDir
    Path folder;

    @Test
    void one_second_on_sqlite_runs_from_end_to_end_with_its_guards() throws Exception {
        Path json = folder.resolve("figures.json");
        Options options =
                Options.parse(List.of("--rounds", "1", "--seconds", "1", "--warm", "0", "--json", json.toString()));
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        ByteArrayOutputStream progress = new ByteArrayOutputStream();

        int code = Bench.run(Bench.chosen(List.of("P8")), options, new PrintStream(table), new PrintStream(progress));

        assertThat(code).as(table.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(table.toString(StandardCharsets.UTF_8)).contains("P8", "one transaction per call");
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("round 1", "units/s", "yardstick");
        assertThat(Files.readString(json)).contains("\"violations\" : [ ]", "calls per combined commit");
    }

    @Test
    void a_number_of_rounds_below_one_is_refused() {
        assertThatThrownBy(() -> Options.parse(List.of("--rounds", "0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--rounds");
    }

    @Test
    void an_unknown_option_is_refused() {
        assertThatThrownBy(() -> Options.parse(List.of("--fast"))).hasMessageContaining("--fast");
    }
}
