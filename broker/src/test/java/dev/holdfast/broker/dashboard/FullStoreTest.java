package dev.holdfast.broker.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.review.ManyReviews;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What pages take of a broker with 100,000 reviews, 5,000 of them open, and a million events. */
@Tag("heavy")
class FullStoreTest {
    private static final int REVIEWS = 100_000;
    private static final int OPEN = 5_000;
    private static final int LOOKS = 9;
    private static final Duration LIMIT = Duration.ofMillis(300);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Engine.class)
    void pages_are_ready_within_300_ms(Engine engine) throws Exception {
        try (Broker broker = Broker.start(filled(engine));
                BrokerClient caller = new BrokerClient(broker)) {
            String large = caller.call(
                            "create_review",
                            "intent",
                            "Change 3,000 lines",
                            "agent_type",
                            "claude",
                            "diff",
                            large(3_000),
                            "skip_diff_validation",
                            true)
                    .text("review_id");
            Awaitility.await("what was written behind the broker's back is counted")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> caller.call("get_review_stats")
                                    .body()
                                    .path("total_reviews")
                                    .asInt()
                            > REVIEWS);
            Map<String, String> pages = new LinkedHashMap<>();
            pages.put("Overview", "/");
            pages.put("Overview, the week", "/?range=week");
            pages.put("Reviews", "/reviews");
            pages.put("Reviews, all, newest", "/reviews?view=all&order=newest");
            pages.put("Reviews of a project", "/reviews?q=project:p7");
            pages.put("Reviews, open, a word that none has", "/reviews?q=nonesuch");
            pages.put("Diff of 3,000 lines", "/reviews/" + large);
            pages.put("the same, side by side", "/reviews/" + large + "?view=split");
            pages.put("Work", "/work");
            pages.put("Tasks", "/tasks");
            pages.put("Agents", "/agents");
            pages.put("Events", "/events");
            pages.put("Palette", "/ui/find?q=number");
            pages.put("Select all matching, counted", "/ui/matching/reviews");
            SoftAssertions softly = new SoftAssertions();
            for (Map.Entry<String, String> page : pages.entrySet()) {
                List<Duration> took = looked(caller, broker.url() + page.getValue());
                System.out.printf(
                        "| %s | %s | %.0f ms | %.0f ms |%n",
                        page.getKey(), engine, millis(took.getFirst()), millis(took.get(LOOKS / 2)));
                softly.assertThat(took.getFirst())
                        .as("%s on %s", page.getKey(), engine)
                        .isLessThan(LIMIT);
            }
            System.out.printf(
                    "%s: fastest and median of %d looks each, load of the last minute %.1f on %d cores%n",
                    engine,
                    LOOKS,
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                    Runtime.getRuntime().availableProcessors());
            softly.assertAll();
        }
    }

    private static double millis(Duration took) {
        return took.toNanos() / 1e6;
    }

    /** How long each look took, the fastest first: the machine may be busy with other things, and that one says what a page costs. */
    private static List<Duration> looked(BrokerClient caller, String address) throws Exception {
        List<Duration> looks = new ArrayList<>();
        for (int i = 0; i < LOOKS; i++) {
            long start = System.nanoTime();
            HttpResponse<byte[]> page = caller.http()
                    .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(page.statusCode()).as(address).isEqualTo(200);
            looks.add(Duration.ofNanos(System.nanoTime() - start));
        }
        Collections.sort(looks);
        return looks;
    }

    private Config filled(Engine engine) throws SQLException {
        return switch (engine) {
            case SQLITE -> {
                TestSqlite.in(folder);
                try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"))) {
                    fill(engine, store);
                }
                yield Config.in(folder);
            }
            case POSTGRES -> {
                String address = TestPostgres.freshDatabase();
                try (Connection store = TestPostgres.connect(address)) {
                    fill(engine, store);
                }
                yield Config.of(new Settings().put(Setting.DATABASE, address).put(Setting.PORT, 0L));
            }
        };
    }

    private static void fill(Engine engine, Connection store) throws SQLException {
        ManyReviews.fill(engine, store, REVIEWS);
        String last = "(SELECT max(seq) FROM reviews) - " + OPEN;
        try (Statement statement = store.createStatement()) {
            statement.execute("UPDATE resources SET state = 'ready', ready_since = "
                    + (engine == Engine.SQLITE ? "CAST(strftime('%s', 'now') AS INTEGER) * 1000000" : "now()")
                    + " WHERE key IN (SELECT 'review:' || id FROM reviews WHERE seq > " + last + ")");
            statement.execute("UPDATE reviews SET status = 'pending' WHERE seq > " + last);
            statement.execute(engine == Engine.SQLITE ? "ANALYZE" : "VACUUM ANALYZE");
        }
    }

    private static String large(int lines) {
        return IntStream.range(0, 10)
                .mapToObj(file -> Diffs.small("src/main/java/shop/Large" + file + ".java", lines / 20, lines / 20))
                .collect(Collectors.joining());
    }
}
