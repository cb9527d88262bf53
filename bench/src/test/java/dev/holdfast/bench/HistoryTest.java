package dev.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.StoreConsistency;
import dev.holdfast.review.Reviews;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HistoryTest {
    private static final List<String> TABLES = List.of(
            "resources",
            "events",
            "work_items",
            "reviews",
            "revisions",
            "verdicts",
            "receipts",
            "proposers",
            "tallied_reviews",
            "tasks",
            "task_counters",
            "steps",
            "outbox",
            "finalization_attempts");

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Engine.class)
    void what_is_written_at_once_is_what_the_doctor_and_the_figures_expect(Engine engine) throws Exception {
        String place = engine == Engine.POSTGRES
                ? TestPostgres.freshDatabase()
                : folder.resolve("data").toString();

        History.write(place, 2_000);

        try (Connection connection = DriverManager.getConnection(
                engine == Engine.POSTGRES ? place : "jdbc:sqlite:" + Path.of(place, "holdfast.db"))) {
            assertThat(StoreConsistency.look(connection, engine)).isEmpty();
            long rows = 0;
            for (String table : TABLES) {
                rows += count(connection, table);
            }
            assertThat(rows).isCloseTo(2_000, within(60L));
        }
        try (Store store = engine == Engine.POSTGRES ? PostgresStore.open(place) : SqliteStore.open(Path.of(place));
                Claims claims = Claims.over(store);
                Reviews reviews = Reviews.over(store, claims)) {
            assertThat(reviews.catalogue().find(History.id(1))).isPresent();
            assertThat(reviews.statistics().of(null).total()).isEqualTo(70);
        }
    }

    private static long count(Connection connection, String table) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + table)) {
            result.next();
            return result.getLong(1);
        }
    }
}
