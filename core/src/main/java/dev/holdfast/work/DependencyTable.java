package dev.holdfast.work;

import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code work_dependencies}. */
public final class DependencyTable {
    private static final Sql OF =
            Sql.of("SELECT * FROM work_dependencies WHERE item = :item ORDER BY created_at, depends_on");

    /** Ordered by item, so that everybody locks the dependents of an item in the same order. */
    private static final Sql ON =
            Sql.of("SELECT * FROM work_dependencies WHERE depends_on = :depends_on AND orders ORDER BY item");

    private static final Sql FIND =
            Sql.of("SELECT * FROM work_dependencies WHERE item = :item AND depends_on = :depends_on AND type = :type");

    private static final Sql INSERT = Sql.of("""
            INSERT INTO work_dependencies (item, depends_on, type, orders, holds, created_at, created_by)
            VALUES (:item, :depends_on, :type, :orders, :holds, :created_at, :created_by) ON CONFLICT DO NOTHING
            """);

    private static final Sql HOLD = Sql.of("""
            UPDATE work_dependencies SET holds = :holds
            WHERE item = :item AND depends_on = :depends_on AND type = :type AND holds <> :holds
            """);

    private static final Sql DELETE =
            Sql.of("DELETE FROM work_dependencies WHERE item = :item AND depends_on = :depends_on AND type = :type");

    private static final Sql LOCK = Sql.of("SELECT only_row FROM work_graph FOR UPDATE");

    private static final Sql REACHES = Sql.of("""
            WITH RECURSIVE before (id) AS (
                SELECT depends_on FROM work_dependencies WHERE item = :start AND orders
                UNION
                SELECT d.depends_on FROM work_dependencies d JOIN before b ON d.item = b.id WHERE d.orders
            )
            SELECT id FROM before WHERE id = :goal
            """);

    private DependencyTable() {}

    public static List<Dependency> of(Transaction transaction, String item) throws SQLException {
        return ask(transaction, item).get();
    }

    static Pending<List<Dependency>> ask(Transaction transaction, String item) throws SQLException {
        return transaction.ask(OF, p -> p.text("item", item), DependencyTable::read);
    }

    /** The ordering dependencies that have this item as the prerequisite. */
    static List<Dependency> on(Transaction transaction, String dependsOn) throws SQLException {
        return askOn(transaction, dependsOn).get();
    }

    static Pending<List<Dependency>> askOn(Transaction transaction, String dependsOn) throws SQLException {
        return transaction.ask(ON, p -> p.text("depends_on", dependsOn), DependencyTable::read);
    }

    public static Optional<Dependency> find(Transaction transaction, String item, String dependsOn, String type)
            throws SQLException {
        return transaction.first(
                FIND,
                p -> p.text("item", item).text("depends_on", dependsOn).text("type", type),
                DependencyTable::read);
    }

    static void insert(Transaction transaction, Dependency made, boolean orders, long at, @Nullable String by)
            throws SQLException {
        transaction.change(
                INSERT,
                p -> p.text("item", made.item())
                        .text("depends_on", made.dependsOn())
                        .text("type", made.type())
                        .flag("orders", orders)
                        .flag("holds", made.holds())
                        .time("created_at", at)
                        .text("created_by", by));
    }

    /** False if it already is so, or the dependency is gone. */
    static boolean hold(Transaction transaction, Dependency known, boolean holds) throws SQLException {
        return transaction.update(
                        HOLD,
                        p -> p.text("item", known.item())
                                .text("depends_on", known.dependsOn())
                                .text("type", known.type())
                                .flag("holds", holds))
                > 0;
    }

    static void delete(Transaction transaction, Dependency known) throws SQLException {
        transaction.change(
                DELETE,
                p -> p.text("item", known.item())
                        .text("depends_on", known.dependsOn())
                        .text("type", known.type()));
    }

    /** Until the transaction ends, nobody else can add dependencies between existing items. */
    public static void lockGraph(Transaction transaction) throws SQLException {
        transaction.first(LOCK, _ -> {}, row -> row.number("only_row"));
    }

    /** Whether one must be done before the other, directly or indirectly. */
    public static boolean comesBefore(Transaction transaction, String first, String later) throws SQLException {
        return first.equals(later)
                || transaction
                        .first(REACHES, p -> p.text("start", later).text("goal", first), row -> row.text("id"))
                        .isPresent();
    }

    private static Dependency read(Row row) throws SQLException {
        return new Dependency(row.text("item"), row.text("depends_on"), row.text("type"), row.flag("holds"));
    }
}
