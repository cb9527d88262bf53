package dev.holdfast.cli.imports.predecessor;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A database file of gsd-review-broker, of any version: older ones lack columns and tables, which then count as empty.
 * It has no version number, so unknown columns reveal a newer one.
 */
public final class ReviewFile implements AutoCloseable {
    /** The result for one review in the file. */
    public sealed interface Found {
        /** @param review in the form that the verb {@code import_reviews} takes */
        record Review(Map<String, @Nullable Object> review) implements Found {}

        record Unusable(String id, String reason) implements Found {}
    }

    /** Receives each review, oldest first. */
    public interface Reader {
        void found(Found found);
    }

    private static final Set<String> NEEDED =
            Set.of("id", "status", "intent", "agent_type", "agent_role", "phase", "claimed_by", "created_at");

    private static final Set<String> KNOWN = Set.of(
            "id",
            "status",
            "intent",
            "description",
            "diff",
            "affected_files",
            "agent_type",
            "agent_role",
            "phase",
            "plan",
            "task",
            "project",
            "claimed_by",
            "verdict_reason",
            "parent_id",
            "created_at",
            "updated_at",
            "priority",
            "current_round",
            "counter_patch",
            "counter_patch_affected_files",
            "counter_patch_status",
            "category",
            "skip_diff_validation",
            "claim_generation",
            "claimed_at");

    private final Snapshot snapshot;
    private final Set<String> tables;

    private ReviewFile(Snapshot snapshot, Set<String> tables) {
        this.snapshot = snapshot;
        this.tables = tables;
    }

    /** @throws BadFileException when it is not such a file, is damaged, or has an unknown version */
    public static ReviewFile open(Path file) throws BadFileException {
        Snapshot snapshot = Snapshot.of(file);
        try {
            Connection connection = snapshot.connection();
            String health = texts(connection, "PRAGMA quick_check(1)").getFirst();
            if (!health.equals("ok")) {
                throw new BadFileException(file + " is damaged: " + health);
            }
            Set<String> tables =
                    new LinkedHashSet<>(texts(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'"));
            checkColumns(file, tables, columns(connection));
            return new ReviewFile(snapshot, tables);
        } catch (SQLException e) {
            snapshot.close();
            boolean other = String.valueOf(e.getMessage()).contains("SQLITE_NOTADB");
            throw new BadFileException(
                    file + (other ? " is not an SQLite database" : " cannot be read: " + e.getMessage()), e);
        } catch (BadFileException e) {
            snapshot.close();
            throw e;
        }
    }

    private static void checkColumns(Path file, Set<String> tables, Set<String> columns) throws BadFileException {
        if (!tables.contains("reviews")) {
            throw new BadFileException(file + " is not a gsd-review-broker database: it has no reviews table");
        }
        Set<String> missing = new TreeSet<>(NEEDED);
        missing.removeAll(columns);
        if (!missing.isEmpty()) {
            throw new BadFileException(file + " is not a gsd-review-broker database: its reviews table lacks "
                    + String.join(", ", missing));
        }
        Set<String> unknown = new TreeSet<>(columns);
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            throw new BadFileException(
                    file + " comes from a newer gsd-review-broker than this import supports: its reviews table has "
                            + String.join(", ", unknown));
        }
    }

    /** Reads all reviews. */
    public void read(Reader reader) throws BadFileException {
        try (Statement all = snapshot.connection().createStatement();
                ResultSet rows = all.executeQuery("SELECT * FROM reviews ORDER BY created_at, id")) {
            while (rows.next()) {
                SourceRow review = values(rows);
                String id = review.text("id");
                if (id == null || id.isBlank()) {
                    reader.found(new Found.Unusable("", "it has no id"));
                    continue;
                }
                List<SourceRow> messages = of("messages", id, "ORDER BY created_at, rowid");
                List<SourceRow> events = of("audit_events", id, "ORDER BY id");
                reader.found(found(id, new SourceReview(review, messages, events)));
            }
        } catch (SQLException e) {
            throw new BadFileException("reading stopped: " + e.getMessage(), e);
        }
        snapshot.checkUnchanged();
    }

    private static Found found(String id, SourceReview story) {
        try {
            return new Found.Review(story.json());
        } catch (IllegalArgumentException e) {
            return new Found.Unusable(id, String.valueOf(e.getMessage()));
        }
    }

    /** What belongs to no review and is not imported: events and rows of the old broker's own reviewer processes. */
    public Map<String, Long> leftBehind() throws BadFileException {
        Map<String, Long> left = new LinkedHashMap<>();
        try {
            if (tables.contains("audit_events")) {
                left.put("events of reviewer processes", count("audit_events WHERE review_id IS NULL"));
                left.put(
                        "events of reviews that are not in the file",
                        count("audit_events WHERE review_id NOT IN (SELECT id FROM reviews)"));
            }
            if (tables.contains("reviewers")) {
                left.put("reviewer processes", count("reviewers"));
            }
        } catch (SQLException e) {
            throw new BadFileException("reading stopped: " + e.getMessage(), e);
        }
        left.values().removeIf(number -> number == 0);
        return left;
    }

    private long count(String what) throws SQLException {
        try (Statement statement = snapshot.connection().createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + what)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    private List<SourceRow> of(String table, String id, String order) throws SQLException {
        List<SourceRow> found = new ArrayList<>();
        if (tables.contains(table)) {
            try (PreparedStatement statement = snapshot.connection()
                    .prepareStatement("SELECT * FROM " + table + " WHERE review_id = ? " + order)) {
                statement.setString(1, id);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.add(values(rows));
                    }
                }
            }
        }
        return found;
    }

    private static SourceRow values(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            values.put(columns.getColumnName(i), rows.getObject(i));
        }
        return new SourceRow(values);
    }

    private static Set<String> columns(Connection connection) throws SQLException {
        return new LinkedHashSet<>(texts(connection, "SELECT name FROM pragma_table_info('reviews')"));
    }

    private static List<String> texts(Connection connection, String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    @Override
    public void close() {
        snapshot.close();
    }
}
