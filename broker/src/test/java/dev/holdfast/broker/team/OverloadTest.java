package dev.holdfast.broker.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many more callers than a broker can serve, none of which ever pauses; the broker runs with the heap flags that it
 * ships with.
 */
@Tag("heavy")
class OverloadTest {
    /** A few dozen are enough to keep a broker fully busy. */
    private static final int CALLERS = 1_000;

    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration NORMAL = Duration.ofMillis(100);
    private static final long MAX_MEGABYTES = 400;

    private final Map<String, Integer> answers = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    @Test
    void on_sqlite_memory_stays_flat_and_answers_are_normal_again_within_a_second() throws Exception {
        overload(BrokerProcess.Start.onSqlite(folder));
    }

    @Test
    void on_postgresql_memory_stays_flat_and_answers_are_normal_again_within_a_second() throws Exception {
        overload(BrokerProcess.Start.onPostgres(TestPostgres.freshDatabase()));
    }

    private void overload(BrokerProcess.Start start) throws Exception {
        BrokerProcess.Start shipped = start.with("JDK_JAVA_OPTIONS", shippedFlags());
        List<Long> megabytes = new ArrayList<>();
        try (BrokerProcess broker = shipped.now();
                HttpClient http = HttpClient.newHttpClient();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long until = System.nanoTime() + LENGTH.toNanos();
            List<Future<Void>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String name = "c" + i;
                callers.add(threads.submit(() -> callUntil(until, http, broker.address(), name)));
            }
            while (System.nanoTime() < until) {
                TimeUnit.SECONDS.sleep(1); // samples its memory once a second
                megabytes.add(resident(broker));
            }
            for (Future<Void> caller : callers) {
                caller.get();
            }
            await().atMost(SOON).pollDelay(Duration.ZERO).until(() -> isNormal(http, broker.address()));
        }
        System.out.println(CALLERS + " callers: " + answers + "; MB each second: " + megabytes);
        assertThat(answers.keySet()).as("%s", answers).isSubsetOf("200", "409", "503, to be tried again");
        assertThat(megabytes).allMatch(each -> each < MAX_MEGABYTES);
        assertThat(max(megabytes.subList(20, megabytes.size())))
                .as("%s", megabytes)
                .isLessThan(max(megabytes.subList(0, 20)) * 5 / 4);
    }

    private static String shippedFlags() throws IOException {
        Matcher flags = Pattern.compile("(?s)\nbroker_options=\"(.*?)\"\n")
                .matcher(Files.readString(Path.of("..", "holdfast")).replace("\\\n", ""));
        assertThat(flags.find()).isTrue();
        return flags.group(1);
    }

    private Void callUntil(long until, HttpClient http, URI broker, String name) throws Exception {
        while (System.nanoTime() < until) {
            count(post(http, broker, "claim", "{\"resource\": \"key:%s\", \"holder\": \"%s\"}".formatted(name, name)));
            count(post(http, broker, "who", "{\"holder\": \"%s\"}".formatted(name)));
        }
        return null;
    }

    private void count(HttpResponse<String> answer) {
        boolean again = answer.statusCode() == 503
                && answer.headers().firstValue("Retry-After").isPresent();
        answers.merge(again ? "503, to be tried again" : Integer.toString(answer.statusCode()), 1, Integer::sum);
    }

    private static boolean isNormal(HttpClient http, URI broker) throws Exception {
        long before = System.nanoTime();
        HttpResponse<String> answer = post(http, broker, "claim", "{\"resource\": \"key:after\", \"holder\": \"me\"}");
        return answer.statusCode() == 200 && System.nanoTime() - before < NORMAL.toNanos();
    }

    private static HttpResponse<String> post(HttpClient http, URI broker, String verb, String body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(broker.resolve("/api/v1/" + verb))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static long max(List<Long> of) {
        return of.stream().mapToLong(each -> each).max().orElseThrow();
    }

    private static long resident(BrokerProcess broker) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(broker.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }
}
