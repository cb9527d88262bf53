package dev.holdfast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The prepared statements of one connection, by their text. Some texts are composed from what callers ask for, so there
 * is no end to them: beyond a number, those not used for longest are closed. Not thread-safe.
 */
final class KeptStatements {
    /** Room for all of our fixed statements; one takes some 65 kB in SQLite. */
    static final int MAX = 400;

    /**
     * A prepared statement.
     *
     * @param positions of the columns; SQLite's driver would look up their names again for every result
     */
    record Kept(PreparedStatement statement, Map<String, Integer> positions) {}

    private final Connection connection;
    private final Engine engine;
    private final Map<String, Kept> byText = new LinkedHashMap<>(16, 0.75f, true);

    KeptStatements(Connection connection, Engine engine) {
        this.connection = connection;
        this.engine = engine;
    }

    Kept of(Sql sql) throws SQLException {
        String text = sql.text(engine);
        Kept kept = byText.get(text);
        if (kept == null) {
            kept = new Kept(connection.prepareStatement(text), new HashMap<>());
            byText.put(text, kept);
            closeOldest();
        }
        return kept;
    }

    int size() {
        return byText.size();
    }

    /** One whose result is being read has been used more recently than any that this closes. */
    private void closeOldest() throws SQLException {
        Iterator<Kept> oldest = byText.values().iterator();
        while (byText.size() > MAX) {
            PreparedStatement statement = oldest.next().statement();
            oldest.remove();
            statement.close();
        }
    }

    void close() throws SQLException {
        for (Kept kept : byText.values()) {
            kept.statement().close();
        }
        byText.clear();
    }
}
