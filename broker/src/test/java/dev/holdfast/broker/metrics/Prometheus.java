package dev.holdfast.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testing.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The installed Prometheus, scraping one broker every second. */
final class Prometheus implements AutoCloseable {
    private final Process process;
    private final String url;
    private final HttpClient http = HttpClient.newHttpClient();

    private Prometheus(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    static Prometheus start(Path folder, Path rules, String broker) throws IOException {
        int port = FreePort.find();
        Path config = Files.writeString(folder.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [%s]
                scrape_configs:
                  - job_name: holdfast
                    static_configs: [{targets: ["%s"]}]
                """.formatted(
                        rules.toAbsolutePath().normalize(), broker));
        Process process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("prometheus"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        Prometheus started = new Prometheus(process, "http://127.0.0.1:" + port);
        await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> started.number("up") == 1);
        return started;
    }

    /** The values that it has for this now; none: no data. It must accept the query. */
    List<JsonNode> ask(String query) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(url + "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8)))
                .build();
        String answer = http.sendAsync(request, BodyHandlers.ofString()).join().body();
        JsonNode result = JsonMapper.shared().readTree(answer);
        assertThat(result.path("status").asString()).as(query + ": " + answer).isEqualTo("success");
        return result.at("/data/result").valueStream().toList();
    }

    /** 0 when there is no data. */
    double number(String query) {
        List<JsonNode> values = ask(query);
        return values.isEmpty()
                ? 0
                : Double.parseDouble(values.getFirst().at("/value/1").asString());
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
        http.shutdownNow();
    }
}
