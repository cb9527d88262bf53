package dev.holdfast.cli.imports.predecessor;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database as gsd-review-broker makes and uses it: schema, pragmas and the rows that its tools leave. */
public final class OldBroker implements AutoCloseable {
    private static final List<String> FIRST_SCHEMA =
            List.of("""
            CREATE TABLE reviews (
                id TEXT PRIMARY KEY,
                status TEXT NOT NULL DEFAULT 'pending'
                    CHECK (status IN ('pending', 'claimed', 'in_review', 'approved', 'changes_requested', 'closed')),
                intent TEXT NOT NULL, description TEXT, diff TEXT, affected_files TEXT,
                agent_type TEXT NOT NULL, agent_role TEXT NOT NULL, phase TEXT NOT NULL, plan TEXT, task TEXT, project TEXT,
                claimed_by TEXT, verdict_reason TEXT, parent_id TEXT REFERENCES reviews (id),
                created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')))
            """, "CREATE INDEX idx_reviews_status ON reviews (status)");

    private static final List<String> LATER = List.of(
            "ALTER TABLE reviews ADD COLUMN priority TEXT NOT NULL DEFAULT 'normal'",
            "ALTER TABLE reviews ADD COLUMN current_round INTEGER NOT NULL DEFAULT 1",
            "ALTER TABLE reviews ADD COLUMN counter_patch TEXT",
            "ALTER TABLE reviews ADD COLUMN counter_patch_affected_files TEXT",
            "ALTER TABLE reviews ADD COLUMN counter_patch_status TEXT",
            "ALTER TABLE reviews ADD COLUMN category TEXT",
            "ALTER TABLE reviews ADD COLUMN skip_diff_validation INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE reviews ADD COLUMN claim_generation INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE reviews ADD COLUMN claimed_at TEXT",
            """
            CREATE TABLE messages (id TEXT PRIMARY KEY, review_id TEXT NOT NULL REFERENCES reviews (id),
                sender_role TEXT NOT NULL CHECK (sender_role IN ('proposer', 'reviewer')), round INTEGER NOT NULL DEFAULT 1,
                body TEXT NOT NULL, metadata TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')))
            """,
            "CREATE INDEX idx_messages_review ON messages (review_id, round)",
            """
            CREATE TABLE audit_events (id INTEGER PRIMARY KEY AUTOINCREMENT, review_id TEXT, event_type TEXT NOT NULL,
                actor TEXT, old_status TEXT, new_status TEXT, metadata TEXT,
                created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))
            """,
            "CREATE INDEX idx_audit_review ON audit_events (review_id)",
            """
            CREATE TABLE reviewers (id TEXT PRIMARY KEY, display_name TEXT NOT NULL, session_token TEXT NOT NULL,
                status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'draining', 'terminated')), pid INTEGER,
                spawned_at TEXT NOT NULL DEFAULT (datetime('now')), last_active_at TEXT NOT NULL DEFAULT (datetime('now')),
                terminated_at TEXT, reviews_completed INTEGER NOT NULL DEFAULT 0, total_review_seconds REAL NOT NULL DEFAULT 0,
                approvals INTEGER NOT NULL DEFAULT 0, rejections INTEGER NOT NULL DEFAULT 0)
            """);

    private final Connection connection;

    private OldBroker(Connection connection) {
        this.connection = connection;
    }

    /** The newest schema. */
    public static OldBroker in(Path file) throws SQLException {
        OldBroker broker = oldest(file);
        for (String statement : LATER) {
            broker.run(statement);
        }
        return broker;
    }

    /** The first schema: no rounds, no messages, no events, no generations. */
    public static OldBroker oldest(Path file) throws SQLException {
        OldBroker broker = reopen(file);
        for (String statement : FIRST_SCHEMA) {
            broker.run(statement);
        }
        return broker;
    }

    /** A file that is there already. */
    public static OldBroker reopen(Path file) throws SQLException {
        OldBroker broker = new OldBroker(DriverManager.getConnection("jdbc:sqlite:" + file));
        broker.run("PRAGMA journal_mode = WAL");
        broker.run("PRAGMA synchronous = NORMAL");
        return broker;
    }

    public void run(String sql, @Nullable Object... values) throws SQLException {
        if (values.length == 0) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    /** A review with these columns besides what every one has: name, value, name, value, … */
    public void review(String id, String status, @Nullable Object... more) throws SQLException {
        StringBuilder names = new StringBuilder("id, status, intent, agent_type, agent_role, phase");
        StringBuilder marks = new StringBuilder("?, ?, ?, ?, ?, ?");
        @Nullable
        Object[] values = Arrays.copyOf(
                new @Nullable Object[] {id, status, "intent of " + id, "gsd-executor", "proposer", "7"},
                6 + more.length / 2);
        for (int i = 0; i < more.length; i += 2) {
            names.append(", ").append(more[i]);
            marks.append(", ?");
            values[6 + i / 2] = more[i + 1];
        }
        run("INSERT INTO reviews (" + names + ") VALUES (" + marks + ")", values);
    }

    public void event(
            @Nullable String id,
            String type,
            @Nullable String actor,
            @Nullable String before,
            @Nullable String after,
            @Nullable String metadata,
            String at)
            throws SQLException {
        run(
                "INSERT INTO audit_events (review_id, event_type, actor, old_status, new_status, metadata, created_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                id,
                type,
                actor,
                before,
                after,
                metadata,
                at);
    }

    public void message(String id, String review, String role, int round, String body, String at) throws SQLException {
        run(
                "INSERT INTO messages (id, review_id, sender_role, round, body, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                id,
                review,
                role,
                round,
                body,
                at);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
