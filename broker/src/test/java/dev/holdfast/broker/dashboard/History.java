package dev.holdfast.broker.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.stream.Stream;

/** A day that a store has never seen, for pictures: what waited hour by hour, verdicts, and claims and reviews of some age. */
final class History {
    private History() {}

    static void write(Path folder) {
        long now = Instant.now().getEpochSecond() / 60;
        try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + file(folder));
                PreparedStatement row = store.prepareStatement(
                        "INSERT OR REPLACE INTO queue_samples (minute, kind, ready, held, oldest_seconds) VALUES (?, ?, ?, ?, ?)")) {
            store.createStatement().execute("PRAGMA busy_timeout = 5000");
            for (int hour = 1; hour <= 24; hour++) {
                add(row, now - hour * 60L + 5, "work", 5 + (long) (5 * (1 - Math.cos(hour / 3.0))), 0);
                add(
                        row,
                        now - hour * 60L + 5,
                        "review",
                        13 + (long) (6 * Math.sin(hour / 2.0)),
                        1300 + (long) (700 * Math.sin(hour / 2.0)));
                add(row, now - hour * 60L + 5, "step", (long) (2 * (1 - Math.cos(hour / 2.5))), 0);
            }
            age(store);
            judge(store);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What waits has waited for six minutes more, and whoever holds something has been quiet for most of the lease. */
    static void sixMinutesPass(Path folder) {
        try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + file(folder));
                Statement change = store.createStatement()) {
            change.execute("PRAGMA busy_timeout = 5000");
            change.execute(
                    "UPDATE reviews SET created_at = created_at - 360000000, updated_at = updated_at - 360000000");
            change.execute("UPDATE revisions SET created_at = created_at - 360000000");
            change.execute("UPDATE resources SET ready_since = ready_since - 360000000 WHERE state = 'ready'");
            change.execute("UPDATE resources SET renewed_at = renewed_at - lease * 6 / 10, expires_at = expires_at"
                    + " - lease * 6 / 10 WHERE state = 'held' AND kind <> 'broker'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What was to follow these tasks was tried in vain. */
    static void followUpsAreGivenUp(Path folder, String error) {
        try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + file(folder));
                PreparedStatement change = store.prepareStatement(
                        "UPDATE outbox SET payload = '{}', due_at = NULL, delivered_at = NULL, last_error = ?")) {
            store.createStatement().execute("PRAGMA busy_timeout = 5000");
            change.setString(1, error);
            change.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reviewers that have been at it for a while. */
    static void reviewersLookBack(Path folder) {
        try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + file(folder));
                Statement change = store.createStatement()) {
            change.execute("PRAGMA busy_timeout = 5000");
            change.execute(
                    "UPDATE resources SET acquired_at = acquired_at - lease * (seq % 3) / 5, renewed_at = renewed_at"
                            + " - lease * (seq % 3) / 5, expires_at = expires_at - lease * (seq % 3) / 5"
                            + " WHERE state = 'held' AND holder LIKE 'command-%'");
            change.execute(
                    "UPDATE reviewers SET spawned_at = spawned_at - 60000000 * (12 + 17 * (3 - rowid)), reviews_completed = 9"
                            + " + 5 * (3 - rowid), approvals = 6 + 4 * (3 - rowid), review_micros = 300000000 * (9 + 5 * (3 - rowid))");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Everything happened some minutes earlier, the first things the longest ago. */
    private static void age(Connection store) throws SQLException {
        try (Statement change = store.createStatement()) {
            String minutes = " - 60000000 * max(1, 44 - 2 * (SELECT v.seq FROM reviews v WHERE v.id = review_id))";
            change.execute("UPDATE revisions SET created_at = created_at" + minutes);
            change.execute("UPDATE verdicts SET at = at" + minutes + " + 300000000");
            change.execute("UPDATE reviews SET created_at = created_at - 60000000 * max(1, 48 - 2 * seq),"
                    + " updated_at = updated_at - 60000000 * max(1, 40 - 2 * seq)");
            change.execute("UPDATE resources SET acquired_at = acquired_at - 60000000 * (3 + seq % 17),"
                    + " renewed_at = renewed_at - lease * (seq % 4) / 9, expires_at = expires_at - lease * (seq % 4) / 9"
                    + " WHERE state = 'held' AND kind <> 'broker'");
            change.execute("UPDATE resources SET ready_since = ready_since - 60000000 * 18 WHERE state = 'ready'");
            change.execute(
                    "UPDATE resources SET ready_since = (SELECT v.created_at FROM reviews v WHERE 'review:' || v.id = key)"
                            + " WHERE state = 'ready' AND kind = 'review'");
            change.execute(
                    "UPDATE work_items SET created_at = created_at - 60000000 * 95, updated_at = updated_at - 60000000 * 26");
            String before = "((SELECT max(l.id) FROM events l) - id)"; // how many came later: they come in bursts
            change.execute("UPDATE events SET at = at - 60000000 - 1000000 * (280 * (" + before + " / 7) + 5 * ("
                    + before + " % 7) * (" + before + " % 7))");
            change.execute(
                    "UPDATE work_items SET closed_at = closed_at - 60000000 * (9 + 14 * (rowid % 3)) WHERE closed_at IS NOT NULL");
            change.execute(
                    "UPDATE tasks SET created_at = created_at - 60000000 * (25 + 41 * ((SELECT max(l.rowid) FROM tasks l) - rowid)),"
                            + " finished_at = finished_at - 60000000 * 12");
            change.execute("UPDATE agents SET id = session_id, started_at = started_at - 60000000 * 110");
            change.execute(
                    "UPDATE agents SET parent = 'claude-3fa91c', started_at = started_at + 60000000 * 70 WHERE id = '"
                            + BusyDay.CHILD + "'");
            change.execute(
                    "UPDATE agents SET last_seen_at = last_seen_at - 60000000 * 38 WHERE id = '" + BusyDay.QUIET + "'");
            change.execute("UPDATE resources SET acquired_at = acquired_at - 60000000 * 40, renewed_at = renewed_at"
                    + " - 60000000 * 38, expires_at = expires_at - 60000000 * 38 WHERE state = 'held' AND holder = '"
                    + BusyDay.QUIET + "'");
            change.execute(
                    "INSERT INTO review_desks (review_id, person, looked, sent, draft, at) SELECT id, 'mira', 1, 1,"
                            + " '{\"reason\": \"The amount must be part of what the key stands for. Move the index to V32.\"}', created_at"
                            + " FROM reviews WHERE intent LIKE 'Refund at most%'");
            change.execute("UPDATE reviews SET priority = 0 WHERE intent LIKE 'Stop logging%'");
            change.execute("UPDATE reviews SET priority = 4 WHERE category = 'docs'");
        }
    }

    /** Verdicts through the day, each a few to forty minutes after what it judges, which nothing else shows. */
    private static void judge(Connection store) throws SQLException {
        try (PreparedStatement judged = store.prepareStatement(
                        "INSERT INTO revisions (review_id, round, number, revision, intent, source, created_at)"
                                + " SELECT id, ?, 1, revision, intent, 'proposal', ? FROM reviews WHERE status = 'closed' LIMIT 1");
                PreparedStatement verdict =
                        store.prepareStatement("INSERT INTO verdicts (review_id, round, revision, verdict, at)"
                                + " SELECT id, ?, revision, ?, ? FROM reviews WHERE status = 'closed' LIMIT 1")) {
            long now = Instant.now().toEpochMilli() * 1_000;
            for (int i = 1; i <= 120; i++) {
                double hour = 24 * Math.pow((i % 40) / 40.0, 0.9) + (i % 7) / 10.0;
                long at = now - (long) (hour * 3_600_000_000L);
                double waited = 4 + 5 * (1 + Math.sin(hour / 3)) + (i % 9 == 0 ? 22 : i % 4 * 1.5);
                judged.setInt(1, 100 + i);
                judged.setLong(2, at - (long) (waited * 60_000_000L));
                judged.execute();
                verdict.setInt(1, 100 + i);
                verdict.setString(2, i % 4 == 0 ? "changes_requested" : "approved");
                verdict.setLong(3, at);
                verdict.execute();
            }
        }
    }

    private static void add(PreparedStatement row, long minute, String kind, long ready, long oldest)
            throws SQLException {
        row.setLong(1, minute);
        row.setString(2, kind);
        row.setLong(3, ready);
        row.setLong(4, 2);
        row.setLong(5, oldest);
        row.execute();
    }

    private static Path file(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(db|sqlite3?)"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
