package dev.holdfast.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What stands in deploy/ is accepted by the real promtool, and asks for nothing that a broker does not tell. */
class DeployTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Path RULES = DEPLOY.resolve("prometheus/holdfast.rules.yml");
    private static final Path RULE_TESTS = DEPLOY.resolve("prometheus/holdfast.test.yml");
    private static final Path SCRAPING = DEPLOY.resolve("prometheus/prometheus.yml");
    private static final Path PAGE = Path.of("..", "docs", "operations.md");

    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL = Pattern.compile("\\b(?!job=)[a-z]+=\"[a-z_]+\"");

    @TempDir
    Path folder;

    @Test
    void prometheus_accepts_the_scrape_config_and_the_rules() throws Exception {
        promtool("check", "config", "--lint=all", "--lint-fatal", SCRAPING.toString());
    }

    @Test
    void alerts_fire_when_they_should_and_are_quiet_in_health() throws Exception {
        promtool("test", "rules", RULE_TESTS.toString());
    }

    @Test
    void prometheus_accepts_every_query_of_the_board() throws Exception {
        List<String> queries = Board.queries();
        assertThat(queries).hasSizeGreaterThan(20);
        List<Map<String, String>> rules = IntStream.range(0, queries.size())
                .mapToObj(i -> Map.of("record", "board:query_" + i, "expr", Board.filledIn(queries.get(i))))
                .toList();
        Path file = folder.resolve("board.yml"); // JSON is YAML
        JsonMapper.shared()
                .writeValue(file.toFile(), Map.of("groups", List.of(Map.of("name", "board", "rules", rules))));
        promtool("check", "rules", file.toString());
    }

    @Test
    void rules_and_board_ask_only_for_what_a_broker_tells_or_a_rule_records() throws Exception {
        String metrics = scraped();
        Set<String> known = new HashSet<>(names(metrics));
        known.addAll(matches("(?<=record: )\\S+", rules()));
        String asked = rules() + String.join("\n", Board.queries());

        assertThat(names(asked)).hasSizeGreaterThan(20).isSubsetOf(known);
        assertThat(LABEL.matcher(asked).results().map(MatchResult::group))
                .isNotEmpty()
                .allMatch(metrics::contains);
    }

    @Test
    void every_alert_is_shown_firing_and_quiet_and_told_in_the_docs() throws Exception {
        Set<String> alerts = matches("(?<=alert: )\\w+", rules());
        String shown = Files.readString(RULE_TESTS);

        assertThat(alerts).hasSize(9);
        assertThat(matches("(?<=alertname: )\\w+(?=\\s+eval_time: \\w+\\s+exp_alerts:\\s+- )", shown))
                .isEqualTo(alerts);
        assertThat(matches("(?<=alertname: )\\w+(?=\\s+eval_time: \\w+\\s+exp_alerts: \\[\\])", shown))
                .isEqualTo(alerts);
        assertThat(matches("(?<=^\\| `)\\w+(?=` \\|)", Files.readString(PAGE))).isEqualTo(alerts);
    }

    /** Without its comments. */
    private static String rules() throws IOException {
        return Files.readString(RULES).replaceAll("(?m)^ *#.*$", "");
    }

    private String scraped() {
        try (Broker broker = Broker.start(Config.in(folder));
                BrokerClient caller = new BrokerClient(broker)) {
            return caller.get("/metrics").raw().body();
        }
    }

    /** Ours; those of Prometheus itself it knows. */
    private static Set<String> names(String text) {
        return NAME.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(name -> name.contains("holdfast_") || name.contains("finalization_claim_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> matches(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void promtool(String... arguments) throws IOException, InterruptedException {
        Programs.assumeInstalled("promtool", "Debian's package prometheus has it");
        Path said = folder.resolve("promtool.txt");
        Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        int code = process.waitFor();
        assertThat(code).as(Files.readString(said)).isZero();
    }
}
