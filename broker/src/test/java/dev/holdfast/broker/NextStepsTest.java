package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code serve} says on a terminal when it is ready. */
class NextStepsTest {
    @Test
    void three_things_to_do_and_the_address_where_commands_would_not_find_it() {
        assertThat(NextSteps.of("http://127.0.0.1:8321", "holdfast"))
                .filteredOn(line -> line.matches(" {2}\\S.*"))
                .containsExactly("  cd YOUR-REPOSITORY && holdfast init", "  holdfast status", "  holdfast open");
        assertThat(NextSteps.of("http://127.0.0.1:9000", "/opt/holdfast"))
                .contains("  /opt/holdfast status")
                .contains("      opens the dashboard, http://127.0.0.1:9000/")
                .anyMatch(line -> line.startsWith("  export HOLDFAST_URL=http://127.0.0.1:9000 "));
    }

    @Test
    void it_is_called_by_its_name_where_the_path_leads_to_it(@TempDir Path folder) throws Exception {
        Path launcher = Files.writeString(folder.resolve("launcher"), "");
        Path bin = Files.createDirectories(folder.resolve("bin"));
        String here = launcher.toString();
        assertThat(NextSteps.program(here, Map.of("PATH", "relative:" + bin))).isEqualTo(here);
        Files.createSymbolicLink(bin.resolve("holdfast"), launcher);
        assertThat(NextSteps.program(here, Map.of("PATH", "relative:" + bin))).isEqualTo("holdfast");
        assertThat(NextSteps.program(null, Map.of())).isEqualTo("holdfast");
    }
}
