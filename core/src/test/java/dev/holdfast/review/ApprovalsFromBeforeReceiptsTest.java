package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claims;
import dev.holdfast.review.approval.Approvals.Decision;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store from before there were receipts, and revisions that know their place, keeps its reviews and approvals. */
class ApprovalsFromBeforeReceiptsTest {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    private static final String REVISION =
            Objects.requireNonNull(Content.of("", null, DIFF).wherever());

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void an_old_approval_counts_as_it_did_and_nobody_knows_whether_it_was_read(Engine engine) throws Exception {
        String address = switch (engine) {
            case SQLITE -> "jdbc:sqlite:" + folder.resolve("holdfast.db");
            case POSTGRES -> TestPostgres.emptyDatabase();
        };
        Flyway.configure()
                .dataSource(address, null, null)
                .locations("classpath:dev/holdfast/store/" + engine.name().toLowerCase(Locale.ROOT))
                .table("schema_history")
                .target("5")
                .load()
                .migrate();
        fill(address, engine == Engine.SQLITE ? "1700000000000000" : "now()");
        try (Store store = engine == Engine.SQLITE ? SqliteStore.open(folder) : PostgresStore.open(address);
                Claims claims = Claims.over(store);
                Reviews reviews = Reviews.over(store, claims)) {
            assertThat(REVISION).startsWith("r1:");
            for (Decision answer : List.of(
                    reviews.approvals().checkRevision("shop", REVISION),
                    reviews.approvals().checkDiff("shop", DIFF),
                    reviews.approvals().checkDiff("shop", DIFF.replace("-1 +1", "-7 +7")))) {
                assertThat(answer).isInstanceOfSatisfying(Decision.Approved.class, approved -> {
                    assertThat(approved.reviewer()).isEqualTo("ann");
                    assertThat(approved.readAll()).isNull();
                });
            }
            assertThat(reviews.receipts().of("old")).isEmpty();
            assertThat(reviews.proposals().close("old", "proposer").status()).isEqualTo(ReviewStatus.CLOSED);
        }
    }

    private static void fill(String address, String now) throws Exception {
        try (Connection connection = DriverManager.getConnection(address);
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(
                    "INSERT INTO resources (key, kind, queue, state, generation) VALUES ('review:old', 'review', 'shop', 'done', 1)",
                    "INSERT INTO reviews (id, project, project_key, intent, agent_type, agent_role, phase, priority, status, revision,"
                            + " last_call, created_at, updated_at) VALUES ('old', 'shop', 'shop', 'i', 'p', 'proposer', '1', 2,"
                            + " 'approved', '" + REVISION + "', 'c', " + now + ", " + now + ")",
                    "INSERT INTO revisions (review_id, round, number, revision, intent, diff, affected_files, source, created_at)"
                            + " VALUES ('old', 1, 1, '" + REVISION + "', 'i', '" + DIFF + "', '[]', 'proposal', " + now
                            + ")",
                    "INSERT INTO verdicts (review_id, round, revision, verdict, reviewer, generation, at)"
                            + " VALUES ('old', 1, '" + REVISION + "', 'approved', 'ann', 1, " + now + ")")) {
                statement.execute(sql);
            }
        }
    }
}
