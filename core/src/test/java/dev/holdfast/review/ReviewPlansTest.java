package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claims;
import dev.holdfast.event.Events;
import dev.holdfast.review.discussion.Discussion;
import dev.holdfast.review.figures.History;
import dev.holdfast.review.figures.ReviewRetention;
import dev.holdfast.review.figures.TallyTable;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.ReviewCatalogue;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.queue.WaitingReviewers;
import dev.holdfast.review.reading.ReceiptTable;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.VerdictTable;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Statements;
import dev.holdfast.testing.TestStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Looking at reviews costs the same however much has happened: nothing walks the events, and pages are read from indexes. */
class ReviewPlansTest {
    /** An index that is read without a condition on it. */
    private static final String WHOLE_INDEX_OF_EVENTS =
            "Scan (Backward )?using \\w+ on events\\b.*\\n(?!\\s*Index Cond)";

    private static final Page.Request PAGE = new Page.Request(100, null);
    private static final Duration LIMIT = Duration.ofMillis(50);

    @ParameterizedTest
    @EnumSource(Engine.class)
    void no_statement_on_reviews_walks_the_events(Engine engine) throws Exception {
        try (TestStore on = ManyReviews.filled(engine, 3_000);
                Claims claims = Claims.over(on.store());
                Reviews reviews = Reviews.over(on.store(), claims)) {
            List<String> statements =
                    Statements.composedBy(engine, () -> look(reviews).values().forEach(Runnable::run));
            reviews.retention().drop(Duration.ofDays(3_650));
            statements.addAll(Statements.constants(
                    engine,
                    Events.class,
                    History.class,
                    ReviewCatalogue.class,
                    TallyTable.class,
                    ReviewTable.class,
                    RevisionTable.class,
                    VerdictTable.class,
                    ReceiptTable.class,
                    Discussion.class,
                    NextReview.class,
                    WaitingReviewers.class,
                    ReviewRetention.class));
            assertThat(statements).hasSizeGreaterThan(40);
            try (Connection connection = ManyReviews.connectPlainly(on);
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    if (engine == Engine.SQLITE && sql.contains("pg_advisory")) {
                        continue; // SQLite has one writer at a time and never runs it
                    }
                    assertThat(plan(engine, statement, sql))
                            .as(sql)
                            .doesNotContainPattern("SCAN (e|events)\\b")
                            .doesNotContain("Seq Scan on events")
                            .doesNotContainPattern(WHOLE_INDEX_OF_EVENTS);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    @Tag("heavy")
    void a_million_events_are_looked_at_in_no_time(Engine engine) throws SQLException {
        try (TestStore on = ManyReviews.filled(engine, 125_000);
                Claims claims = Claims.over(on.store());
                Reviews reviews = Reviews.over(on.store(), claims)) {
            long start = System.nanoTime();
            reviews.statistics().catchUp();
            System.out.printf("%s: a million events counted in %.1f s%n", engine, (System.nanoTime() - start) / 1e9);
            look(reviews).forEach((name, look) -> {
                Duration best = fastest(look);
                System.out.printf("%s: %s in %.1f ms%n", engine, name, best.toNanos() / 1e6);
                assertThat(best).as("%s on %s", name, engine).isLessThan(LIMIT);
            });
        }
    }

    /** The machine may be busy with other things; the best of several says what it costs. */
    private static Duration fastest(Runnable look) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 7; i++) {
            long start = System.nanoTime();
            look.run();
            best = Math.min(best, System.nanoTime() - start);
        }
        return Duration.ofNanos(best);
    }

    private static Map<String, Runnable> look(Reviews reviews) {
        Map<String, Runnable> looks = new TreeMap<>();
        looks.put(
                "stats", () -> assertThat(reviews.statistics().of(null).total()).isPositive());
        looks.put(
                "stats of a project",
                () -> assertThat(reviews.statistics().of("p3").total()).isPositive());
        looks.put(
                "feed",
                () -> assertThat(
                                reviews.catalogue().feed(ReviewFilter.ALL, PAGE).entries())
                        .hasSize(100));
        looks.put(
                "feed of a project",
                () -> assertThat(reviews.catalogue()
                                .feed(new ReviewFilter(null, null, Set.of("p3")), PAGE)
                                .entries())
                        .hasSize(100));
        looks.put(
                "feed of a status",
                () -> assertThat(reviews.catalogue()
                                .feed(ReviewFilter.status("approved"), PAGE)
                                .entries())
                        .isEmpty());
        looks.put(
                "second page of the feed",
                () -> assertThat(reviews.catalogue()
                                .feed(
                                        ReviewFilter.ALL,
                                        new Page.Request(
                                                100,
                                                reviews.catalogue()
                                                        .feed(ReviewFilter.ALL, PAGE)
                                                        .next()))
                                .entries())
                        .hasSize(100));
        looks.put(
                "timeline",
                () -> assertThat(reviews.history().events("many-2000", PAGE).entries())
                        .hasSize(8));
        looks.put(
                "audit",
                () -> assertThat(reviews.history().events(null, PAGE).entries()).hasSize(100));
        looks.put(
                "audit in the middle",
                () -> assertThat(reviews.history()
                                .events(null, new Page.Request(100, "12000"))
                                .entries())
                        .hasSize(100));
        looks.put(
                "queue",
                () -> assertThat(reviews.catalogue()
                                .list(ReviewFilter.status("pending"), PAGE)
                                .entries())
                        .isEmpty());
        looks.put(
                "queue of a project",
                () -> assertThat(reviews.catalogue()
                                .list(new ReviewFilter("closed", null, Set.of("p3")), PAGE)
                                .entries())
                        .hasSize(100));
        looks.put(
                "status",
                () -> assertThat(reviews.catalogue().find("many-2000")).isPresent());
        return looks;
    }

    private static String plan(Engine engine, Statement statement, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (ResultSet lines = statement.executeQuery(
                switch (engine) {
                    case SQLITE -> "EXPLAIN QUERY PLAN " + sql;
                    case POSTGRES -> "EXPLAIN (GENERIC_PLAN) " + numbered(sql);
                })) {
            while (lines.next()) {
                plan.append(lines.getString(engine == Engine.SQLITE ? "detail" : "QUERY PLAN"))
                        .append('\n');
            }
        }
        return plan.toString();
    }

    /** With $1, $2, … instead of question marks. */
    private static String numbered(String sql) {
        StringBuilder numbered = new StringBuilder();
        int number = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == '?') {
                numbered.append('$').append(++number);
            } else {
                numbered.append(c);
            }
        }
        return numbered.toString();
    }
}
