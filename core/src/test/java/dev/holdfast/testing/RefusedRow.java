package dev.holdfast.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A row that the database refuses to change while this is open. */
public final class RefusedRow implements AutoCloseable {
    private final TestStore on;
    private final String table;

    private RefusedRow(TestStore on, String table) {
        this.on = on;
        this.table = table;
    }

    /** @param change INSERT, UPDATE or DELETE */
    public static RefusedRow of(TestStore on, String change, String table, String column, String value) {
        String row = (change.equals("INSERT") ? "NEW" : "OLD") + "." + column + " = '" + value + "'";
        String answer = change.equals("DELETE") ? "OLD" : "NEW";
        execute(
                on,
                on.address() == null
                        ? List.of("CREATE TRIGGER refused BEFORE " + change + " ON " + table + " WHEN " + row
                                + " BEGIN SELECT RAISE(ABORT, 'a bad row'); END")
                        : List.of(
                                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION"
                                        + " 'a bad row' USING ERRCODE = 'check_violation'; RETURN " + answer
                                        + "; END $$",
                                "CREATE TRIGGER refused BEFORE " + change + " ON " + table + " FOR EACH ROW WHEN ("
                                        + row + ") EXECUTE FUNCTION refuse()"));
        return new RefusedRow(on, table);
    }

    /** Changes something behind the broker's back. */
    public static void execute(TestStore on, List<String> statements) {
        try (Connection connection = on.address() == null
                        ? DriverManager.getConnection("jdbc:sqlite:" + on.folder() + "/holdfast.db")
                        : TestPostgres.connect(on.address());
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        execute(
                on,
                on.address() == null
                        ? List.of("DROP TRIGGER refused")
                        : List.of("DROP TRIGGER refused ON " + table, "DROP FUNCTION refuse()"));
    }
}
