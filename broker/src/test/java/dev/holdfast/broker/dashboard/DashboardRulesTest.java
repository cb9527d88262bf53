package dev.holdfast.broker.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every page keeps to, held against the sources themselves. */
class DashboardRulesTest {
    private static final Path PAGES = Path.of("src/main/java/dev/holdfast/broker/dashboard");
    private static final Path TEMPLATES = Path.of("src/main/jte");
    private static final Path ASSETS = Path.of("src/main/resources/dev/holdfast/broker/dashboard/assets");

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    @Test
    void pages_read_through_the_core_and_have_no_sql_of_their_own() throws IOException {
        Pattern sql = Pattern.compile("Sql\\.of\\(|(?i)\\b(select .* from|insert into|update \\w+ set|delete from)\\b");
        for (Path file : files(PAGES, ".java")) {
            assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(sql);
        }
    }

    @Test
    void templates_have_neither_inline_scripts_nor_styles_and_escape_everything() throws IOException {
        for (Path file : files(TEMPLATES, ".jte")) {
            assertThat(Files.readString(file))
                    .as(file.toString())
                    .doesNotContainPattern("<style|\\sstyle=|\\son[a-z]+=\"|<script>|\\$unsafe|https?://");
        }
    }

    @Test
    void every_asset_is_listed_and_every_listed_one_is_there() throws IOException {
        List<String> there = new ArrayList<>();
        for (Path file : files(ASSETS, "")) {
            if (Files.isRegularFile(file)) {
                there.add(ASSETS.relativize(file).toString());
            }
        }
        List<String> listed = new ArrayList<>(Assets.PICTURES);
        Assets.STYLES.forEach(name -> listed.add("css/" + name + ".css"));
        Assets.SCRIPTS.forEach(name -> listed.add("js/" + name + ".js"));

        assertThat(there).containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void nothing_is_loaded_from_outside() throws IOException {
        for (Path file : files(ASSETS, "")) {
            if (Files.isRegularFile(file)) {
                assertThat(Files.readString(file).replace("http://www.w3.org/2000/svg", ""))
                        .as(file.toString())
                        .doesNotContainPattern("https?://|@import|eval\\(|innerHTML\\s*=|insertAdjacentHTML");
            }
        }
    }
}
