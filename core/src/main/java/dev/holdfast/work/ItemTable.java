package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Parameters;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The SQL of {@code work_items}, row by row. The resource row is the lock. */
public final class ItemTable {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The status that users see; needs {@code :now}. */
    static final String SHOWN_STATUS = """
            CASE
                WHEN i.status = 'closed' THEN 'closed'
                WHEN r.state = 'held' OR r.kept THEN 'in_progress'
                WHEN i.status = 'deferred' AND (i.defer_until IS NULL OR i.defer_until > :now) THEN 'deferred'
                WHEN r.state = 'blocked' THEN 'blocked'
                ELSE 'open' END""";

    /** Everything that a {@link WorkItem} has, except its dependencies. */
    public static final String VIEW = "SELECT i.*, " + SHOWN_STATUS + """
             AS shown_status, r.seq AS position, r.holder, r.generation, r.acquired_at, r.renewed_at, r.expires_at,
                r.confirmed, r.attempts, r.most_attempts, r.note, r.state AS claim_state,
                (SELECT min(d.depends_on) FROM work_dependencies d
                 WHERE d.item = i.id AND d.type = 'parent-child') AS parent
            FROM work_items i""" + ClaimSql.join(Kind.WORK, "i.id", "r");

    /** How much of a long text a list shows. */
    private static final int EXCERPT = 500;

    /**
     * The same for lists: without the texts that only an item's own page shows, and with the beginnings of others. A
     * thousand items may have more text than the memory holds.
     */
    static final String LISTED = VIEW.replace("SELECT i.*", """
            SELECT i.seq, i.id, i.created_at, i.created_by, i.queue, i.title, CAST(NULL AS text) AS description, i.type,
                i.priority, i.labels, i.status, substr(i.blocked_reason, 1, %1$d) AS blocked_reason, i.waits_for,
                i.importing, i.assignee, i.external_ref, CAST(NULL AS text) AS metadata, i.defer_until, i.updated_at,
                i.closed_at, i.closed_by, substr(i.close_reason, 1, %1$d) AS close_reason, i.children,
                CAST(NULL AS text) AS source, i.last_call""".formatted(EXCERPT));

    /** The number of items under the same conditions. */
    static final String COUNT = "SELECT count(*) AS items FROM work_items i" + ClaimSql.join(Kind.WORK, "i.id", "r");

    private static final Sql FIND = Sql.of("SELECT * FROM work_items WHERE id = :id");
    private static final String ONE = VIEW + " WHERE i.id = :id";
    private static final Sql SHOW = Sql.of(ONE);

    /** Reads the clock itself, so that nothing must be asked before. */
    private static final Sql SHOW_ON_POSTGRES = Sql.of(ONE.replace(":now", "lease_clock()"));

    private static final Sql INSERT = Sql.of("""
            INSERT INTO work_items (id, created_at, created_by, queue, title, description, type, priority, labels, status,
                blocked_reason, waits_for, importing, assignee, external_ref, metadata, defer_until, updated_at,
                closed_at, closed_by, close_reason, children, source, last_call)
            VALUES (:id, :created_at, :created_by, :queue, :title, :description, :type, :priority, :labels, :status,
                :blocked_reason, :waits_for, :importing, :assignee, :external_ref, :metadata, :defer_until, :updated_at,
                :closed_at, :closed_by, :close_reason, :children, :source, :last_call)
            """);

    private static final Sql UPDATE = Sql.of("""
            UPDATE work_items SET queue = :queue, title = :title, description = :description, type = :type,
                priority = :priority, labels = :labels, status = :status, blocked_reason = :blocked_reason,
                waits_for = :waits_for, importing = :importing, assignee = :assignee, external_ref = :external_ref,
                metadata = :metadata, defer_until = :defer_until, updated_at = :updated_at, closed_at = :closed_at,
                closed_by = :closed_by, close_reason = :close_reason, children = :children, source = :source,
                last_call = :last_call
            WHERE id = :id
            """);

    private static final Sql IMPORTING = Sql.of("SELECT id FROM work_items WHERE importing ORDER BY id LIMIT :max");

    private ItemTable() {}

    public static Optional<ItemRow> find(Transaction transaction, String id) throws SQLException {
        return ask(transaction, id).get();
    }

    static Pending<Optional<ItemRow>> ask(Transaction transaction, String id) throws SQLException {
        return transaction.askFirst(FIND, p -> p.text("id", id), ItemTable::row);
    }

    /** The item as users see it, with its dependencies. */
    static Optional<WorkItem> show(Transaction transaction, String id) throws SQLException {
        Pending<List<Dependency>> dependencies = DependencyTable.ask(transaction, id);
        Transaction.Reader<WorkItem> reader = row -> item(row, dependencies.get());
        return switch (transaction.engine()) {
            case POSTGRES -> transaction.first(SHOW_ON_POSTGRES, p -> p.text("id", id), reader);
            case SQLITE -> {
                long now = transaction.now();
                yield transaction.first(SHOW, p -> p.text("id", id).time("now", now), reader);
            }
        };
    }

    static void insert(Transaction transaction, ItemRow row) throws SQLException {
        transaction.change(
                INSERT, p -> bind(p.time("created_at", row.createdAt).text("created_by", row.createdBy), row));
    }

    public static void update(Transaction transaction, ItemRow row) throws SQLException {
        transaction.change(UPDATE, p -> bind(p, row));
    }

    public static List<String> importing(Transaction transaction, int max) throws SQLException {
        return transaction.list(IMPORTING, p -> p.number("max", max), row -> row.text("id"));
    }

    private static void bind(Parameters p, ItemRow row) throws SQLException {
        p.text("id", row.id)
                .text("queue", row.queue)
                .text("title", row.title)
                .text("description", row.description)
                .text("type", row.type)
                .number("priority", row.priority)
                .text("labels", JSON.writeValueAsString(new TreeSet<>(row.labels)))
                .text("status", row.status.toString())
                .text("blocked_reason", row.blockedReason)
                .number("waits_for", row.waitsFor)
                .flag("importing", row.importing)
                .text("assignee", row.assignee)
                .text("external_ref", row.externalRef)
                .text("metadata", row.metadata)
                .time("defer_until", row.deferUntil)
                .time("updated_at", row.updatedAt)
                .time("closed_at", row.closedAt)
                .text("closed_by", row.closedBy)
                .text("close_reason", row.closeReason)
                .number("children", row.children)
                .text("source", row.source)
                .text("last_call", row.lastCall);
    }

    static ItemRow row(Row read) throws SQLException {
        ItemRow row = new ItemRow(
                read.text("id"),
                read.text("title"),
                read.text("type"),
                (int) read.number("priority"),
                labels(read),
                read.text("queue"),
                read.text("last_call"));
        row.description = read.textOrNull("description");
        row.status = WorkStatus.stored(read.text("status"));
        row.blockedReason = read.textOrNull("blocked_reason");
        row.waitsFor = read.number("waits_for");
        row.importing = read.flag("importing");
        row.assignee = read.textOrNull("assignee");
        row.externalRef = read.textOrNull("external_ref");
        row.metadata = read.textOrNull("metadata");
        row.deferUntil = read.timeOrNull("defer_until");
        row.createdAt = read.time("created_at");
        row.createdBy = read.textOrNull("created_by");
        row.updatedAt = read.time("updated_at");
        row.closedAt = read.timeOrNull("closed_at");
        row.closedBy = read.textOrNull("closed_by");
        row.closeReason = read.textOrNull("close_reason");
        row.children = read.number("children");
        row.source = read.textOrNull("source");
        return row;
    }

    public static WorkItem item(Row row, List<Dependency> dependencies) throws SQLException {
        ItemRow stored = row(row);
        WorkStatus status = WorkStatus.stored(row.text("shown_status"));
        Long max = row.numberOrNull("most_attempts");
        int attempts = (int) row.number("attempts");
        boolean parked = row.text("claim_state").equals("blocked") && max != null && attempts >= max;
        String note = row.textOrNull("note");
        return new WorkItem(
                stored.id,
                stored.title,
                stored.description,
                status,
                stored.status,
                stored.priority,
                stored.type,
                stored.labels,
                stored.queue,
                row.textOrNull("parent"),
                stored.assignee,
                stored.externalRef,
                stored.metadata,
                instant(stored.deferUntil),
                blockedReason(stored, parked, attempts, note),
                parked,
                attempts,
                claim(row, stored.id, attempts),
                note,
                LeaseClock.instant(stored.createdAt),
                stored.createdBy,
                LeaseClock.instant(stored.updatedAt),
                instant(stored.closedAt),
                stored.closedBy,
                stored.closeReason,
                row.number("position"),
                dependencies);
    }

    private static @Nullable String blockedReason(ItemRow stored, boolean parked, int attempts, @Nullable String note) {
        if (parked) {
            return "parked after " + attempts + " failed attempts" + (note == null ? "" : "; the last: " + note);
        }
        return stored.importing ? "its import is not finished; import the rest" : stored.blockedReason;
    }

    private static @Nullable Claim claim(Row row, String id, int attempts) throws SQLException {
        String holder = row.textOrNull("holder");
        Long expires = row.timeOrNull("expires_at");
        if (holder == null || expires == null) {
            return null;
        }
        return new Claim(
                WorkItem.resource(id),
                holder,
                row.number("generation"),
                LeaseClock.instant(row.time("acquired_at")),
                LeaseClock.instant(row.time("renewed_at")),
                LeaseClock.instant(expires),
                row.flag("confirmed"),
                attempts,
                null);
    }

    private static Set<String> labels(Row row) throws SQLException {
        return JSON.readValue(row.text("labels"), new TypeReference<LinkedHashSet<String>>() {});
    }

    static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : LeaseClock.instant(micros);
    }
}
