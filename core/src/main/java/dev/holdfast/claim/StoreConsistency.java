package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks for inconsistencies in a store, read-only; a broker may be running on it. */
public final class StoreConsistency {
    private static final int EXAMPLES = 3;

    /** How serious it is. */
    public enum Badness {
        /** Somebody should take care of it. */
        LEFT_OVER,
        /** It cannot happen while the store and its brokers work correctly. */
        BROKEN
    }

    /**
     * Something wrong in the store.
     *
     * @param count how often it occurs
     * @param examples some of the names
     */
    public record Finding(Badness badness, String what, long count, List<String> examples) {}

    private record Question(Badness badness, String what, String sqlite, String postgres) {
        Question(Badness badness, String what, String both) {
            this(badness, what, both, both);
        }
    }

    private static final List<Question> QUESTIONS = List.of(
            new Question(
                    Badness.LEFT_OVER,
                    "work items are in progress, but nobody holds them",
                    "SELECT key FROM resources WHERE kind = 'work' AND state = 'ready' AND kept ORDER BY key"),
            new Question(
                    Badness.LEFT_OVER,
                    "claims expired more than ten minutes ago, but no broker has reclaimed them",
                    "SELECT key FROM resources WHERE state = 'held' AND kind <> 'broker'"
                            + " AND expires_at < (unixepoch('now') - 600) * 1000000 ORDER BY key",
                    "SELECT key FROM resources WHERE state = 'held' AND kind <> 'broker'"
                            + " AND expires_at < lease_clock() - interval '10 minutes' ORDER BY key"),
            new Question(
                    Badness.LEFT_OVER,
                    "reviews are in review, but nobody holds them",
                    "SELECT 'review:' || v.id FROM reviews v WHERE v.status = 'in_review' AND NOT"
                            + ClaimSql.isHeld(Kind.REVIEW, "v.id") + " ORDER BY v.id"),
            new Question(
                    Badness.BROKEN,
                    "open work items cannot be claimed: their claim is missing",
                    "SELECT 'work:' || w.id FROM work_items w WHERE w.status <> 'closed' AND NOT EXISTS"
                            + " (SELECT 1 FROM resources r WHERE r.key = 'work:' || w.id) ORDER BY w.id"),
            new Question(
                    Badness.BROKEN,
                    "pending reviews cannot be claimed: their claim is missing",
                    "SELECT 'review:' || v.id FROM reviews v WHERE v.status IN ('pending', 'in_review') AND NOT EXISTS"
                            + " (SELECT 1 FROM resources r WHERE r.key = 'review:' || v.id) ORDER BY v.id"),
            new Question(
                    Badness.BROKEN,
                    "claims have no generation, holder or expiry, or have a holder although they are free",
                    "SELECT key FROM resources WHERE (state = 'held' AND generation < 1)"
                            + " OR (state = 'held') <> (holder IS NOT NULL)"
                            + " OR (state = 'held' AND outer_key IS NULL AND expires_at IS NULL) ORDER BY key"));

    private StoreConsistency() {}

    /** Returns what is wrong, if anything. */
    public static List<Finding> look(Connection connection, Engine engine) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            for (Question question : QUESTIONS) {
                ask(statement, question, engine, findings);
            }
        }
        return findings;
    }

    private static void ask(Statement statement, Question question, Engine engine, List<Finding> findings)
            throws SQLException {
        String query = engine == Engine.SQLITE ? question.sqlite : question.postgres;
        List<String> examples = new ArrayList<>();
        long count = 0;
        try (ResultSet found = statement.executeQuery(query)) {
            while (found.next()) {
                if (count++ < EXAMPLES) {
                    examples.add(found.getString(1));
                }
            }
        }
        if (count > 0) {
            findings.add(new Finding(question.badness, question.what, count, examples));
        }
    }
}
