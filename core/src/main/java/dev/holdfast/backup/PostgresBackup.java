package dev.holdfast.backup;

import dev.holdfast.claim.RestoreFencing;
import dev.holdfast.store.PostgresDatabase;
import dev.holdfast.store.Sql;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.Transaction;
import dev.holdfast.token.RestoredTokens;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A consistent copy of the tables in a PostgreSQL database: an archive with the {@code COPY} output of each, and their
 * schema version. It needs none of PostgreSQL's client programs, and any server version can read what another wrote.
 *
 * <p>It is restored into an empty database, which first gets that schema version and is then migrated to the current
 * one, all in one transaction. It is not the database that was copied, so the first broker that uses it fences out everybody.
 */
public final class PostgresBackup {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String CONTENTS = "holdfast.json";
    private static final String END = "end";

    /** Ours have a few thousand bytes; a few bytes of an archive can become gigabytes. */
    private static final int LARGEST_CONTENTS = 1 << 20;

    private static final String TABLE = "tables/";

    private static final String TABLES = """
            SELECT c.relname FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
                AND c.relname <> 'schema_history' ORDER BY c.relname
            """;

    private static final String COLUMNS = """
            SELECT a.attname FROM pg_attribute a WHERE a.attrelid = CAST(? AS regclass) AND a.attnum > 0 AND NOT a.attisdropped
                AND a.attgenerated = '' ORDER BY a.attnum
            """;

    private static final String REFERENCES = """
            SELECT c.conrelid::regclass::text AS from_table, c.confrelid::regclass::text AS to_table
            FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace
            """;

    private static final String COUNTERS = """
            SELECT s.schemaname || '.' || s.sequencename AS name, coalesce(s.last_value, 0) AS last
            FROM pg_sequences s WHERE s.schemaname = current_schema() ORDER BY 1
            """;

    private static final Sql SERVERS = Sql.of("SELECT count(*) AS servers FROM known_server");

    private PostgresBackup() {}

    /** Copies all tables; brokers keep working meanwhile. */
    public static void write(String address, Path to) {
        try (Connection connection = PostgresDatabase.longRunning(address);
                ZipOutputStream archive = new ZipOutputStream(Files.newOutputStream(to))) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            Map<String, List<String>> tables = tables(connection);
            archive.putNextEntry(new ZipEntry(CONTENTS));
            archive.write(MAPPER.writeValueAsBytes(contents(connection, tables)));
            archive.closeEntry();
            CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
            for (Map.Entry<String, List<String>> table : tables.entrySet()) {
                archive.putNextEntry(new ZipEntry(TABLE + table.getKey()));
                copy.copyOut("COPY " + named(table) + " TO STDOUT", new NonClosingOutput(archive));
                archive.closeEntry();
            }
            archive.putNextEntry(new ZipEntry(END));
            archive.closeEntry();
            connection.rollback();
        } catch (SQLException | IOException e) {
            throw new StoreException("cannot copy the database: " + e.getMessage(), e);
        }
    }

    private static Map<String, Object> contents(Connection connection, Map<String, List<String>> tables)
            throws SQLException {
        Map<String, Object> contents = new LinkedHashMap<>();
        contents.put("store", "postgresql");
        contents.put("made_at", Instant.now().toString());
        try (Statement statement = connection.createStatement();
                ResultSet schema = statement.executeQuery(
                        "SELECT max(cast(version AS integer)) FROM schema_history WHERE success")) {
            schema.next();
            contents.put("schema", schema.getInt(1));
        }
        contents.put("tables", tables);
        contents.put("counters", counters(connection));
        return contents;
    }

    private static Map<String, Long> counters(Connection connection) throws SQLException {
        Map<String, Long> counters = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(COUNTERS)) {
            while (found.next()) {
                counters.put(found.getString("name"), found.getLong("last"));
            }
        }
        return counters;
    }

    /**
     * Restores a copy into an empty database, in one transaction.
     *
     * @throws StoreException if the database is not empty, or the copy is incomplete; the database is not changed then
     */
    public static RestoredTokens read(Path copy, String address, RestoreOptions options) {
        RestoredTokens tokens;
        try (ZipInputStream archive = new ZipInputStream(Files.newInputStream(copy))) {
            JsonNode contents = contents(archive)
                    .orElseThrow(() -> new StoreException(copy + " is not a backup of a Holdfast store on PostgreSQL"));
            tokens = PostgresDatabase.make(
                    address,
                    contents.path("schema").asInt(0),
                    connection -> fill(connection, archive, contents, copy),
                    transaction -> {
                        fenceOut(transaction);
                        return options.settle(transaction, Optional.empty());
                    });
        } catch (SQLException | IOException e) {
            throw new StoreException(
                    "cannot restore " + copy + ": " + e.getMessage() + "; the database was not changed", e);
        }
        return tokens;
    }

    /** Whatever the copy says about its server: brokers rely on that to notice that a store was restored. */
    private static void fenceOut(Transaction transaction) throws SQLException {
        long servers = transaction
                .first(SERVERS, _ -> {}, row -> row.number("servers"))
                .orElseThrow();
        if (servers != 1) {
            throw notOurs("a number of servers");
        }
        RestoreFencing.onPostgres(transaction, "restored");
    }

    /** What the archive says about itself; empty: it is not one of ours. */
    private static Optional<JsonNode> contents(ZipInputStream archive) throws IOException {
        ZipEntry first = archive.getNextEntry();
        if (first == null || !first.getName().equals(CONTENTS)) {
            return Optional.empty();
        }
        try {
            JsonNode contents = MAPPER.readTree(archive.readNBytes(LARGEST_CONTENTS));
            return contents.path("schema").asInt(0) > 0 ? Optional.of(contents) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static void fill(Connection connection, ZipInputStream archive, JsonNode contents, Path copy)
            throws SQLException, IOException {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        contents.path("tables").properties().forEach(table -> {
            List<String> names = new ArrayList<>();
            table.getValue().forEach(name -> names.add(name.asString()));
            columns.put(table.getKey(), names);
        });
        checkKnown(columns, tables(connection)); // names become part of statements
        // a table may refer to one that comes later in the archive, so extract all first and load the referenced ones
        // first
        Map<String, Path> extracted = new LinkedHashMap<>();
        try {
            if (!extract(archive, columns.keySet(), extracted)
                    || !extracted.keySet().equals(columns.keySet())) {
                throw new StoreException(copy + " is incomplete; use another backup");
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("TRUNCATE " + String.join(", ", columns.keySet()));
            }
            CopyManager in = connection.unwrap(PGConnection.class).getCopyAPI();
            for (String table : inOrder(connection, columns.keySet())) {
                try (InputStream part = Files.newInputStream(Objects.requireNonNull(extracted.get(table)))) {
                    in.copyIn(
                            "COPY " + named(Map.entry(table, columns.getOrDefault(table, List.of()))) + " FROM STDIN",
                            part);
                }
            }
        } finally {
            for (Path part : extracted.values()) {
                Files.deleteIfExists(part);
            }
        }
        count(connection, contents.path("counters"));
    }

    /**
     * @param tables all that there may be
     * @param extracted gets a file for each table
     * @return whether the archive has its end
     */
    private static boolean extract(ZipInputStream archive, Set<String> tables, Map<String, Path> extracted)
            throws IOException {
        for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
            if (entry.getName().equals(END)) {
                return true;
            }
            String table = entry.getName().replaceFirst("^" + TABLE, "");
            if (!tables.contains(table) || extracted.containsKey(table)) {
                throw notOurs("a part");
            }
            Path part = Files.createTempFile("holdfast", ".copy");
            extracted.put(table, part);
            try (OutputStream out = Files.newOutputStream(part)) {
                archive.transferTo(out);
            }
        }
        return false;
    }

    private static void count(Connection connection, JsonNode counters) throws SQLException {
        Set<String> missing = new LinkedHashSet<>();
        counters(connection).keySet().forEach(name -> missing.add(unqualified(name)));
        try (PreparedStatement set = connection.prepareStatement("SELECT setval(CAST(? AS regclass), ?)")) {
            for (Map.Entry<String, JsonNode> counter : counters.properties()) {
                String name = unqualified(counter.getKey());
                if (!missing.remove(name) || !counter.getValue().isIntegralNumber()) {
                    throw notOurs("a counter"); // it could be that of another schema
                }
                if (counter.getValue().asLong() > 0) {
                    set.setString(1, name);
                    set.setLong(2, counter.getValue().asLong());
                    set.executeQuery().close();
                }
            }
        }
        if (!missing.isEmpty()) { // it would give ids that are in the copy again
            throw incomplete("the counter " + missing.iterator().next());
        }
    }

    private static String unqualified(String name) {
        return name.substring(name.indexOf('.') + 1);
    }

    /** @throws StoreException if the backup names what no store of its schema has: somebody else made it */
    private static void checkKnown(Map<String, List<String>> columns, Map<String, List<String>> known) {
        columns.forEach((table, names) -> {
            if (!known.getOrDefault(table, List.of()).containsAll(names) || !known.containsKey(table)) {
                throw notOurs("a table or column");
            }
        });
        known.forEach((table, names) -> {
            if (!columns.getOrDefault(table, List.of()).containsAll(names)) {
                throw incomplete(table + " or a part of it");
            }
        });
    }

    private static StoreException incomplete(String without) {
        return new StoreException(
                "this Holdfast backup is incomplete: it lacks " + without + "; the database was not changed");
    }

    private static StoreException notOurs(String what) {
        return new StoreException(
                "this is not a Holdfast backup: it has " + what + " that no store has; the database was not changed");
    }

    /** Referenced tables come first. */
    private static List<String> inOrder(Connection connection, Set<String> tables) throws SQLException {
        Map<String, Set<String>> needs = new LinkedHashMap<>();
        tables.forEach(table -> needs.put(table, new LinkedHashSet<>()));
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(REFERENCES)) {
            while (found.next()) {
                String from = found.getString("from_table");
                String to = found.getString("to_table");
                if (!from.equals(to)) {
                    needs.getOrDefault(from, new LinkedHashSet<>()).add(to);
                }
            }
        }
        Set<String> ordered = new LinkedHashSet<>();
        while (ordered.size() < needs.size()) {
            int before = ordered.size();
            needs.forEach((table, needed) -> {
                if (ordered.containsAll(needed)) {
                    ordered.add(table);
                }
            });
            if (ordered.size() == before) {
                ordered.addAll(needs.keySet()); // they refer to each other; the database reports what is wrong
            }
        }
        return List.copyOf(ordered);
    }

    private static Map<String, List<String>> tables(Connection connection) throws SQLException {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(TABLES);
                PreparedStatement columns = connection.prepareStatement(COLUMNS)) {
            while (found.next()) {
                List<String> names = new ArrayList<>();
                columns.setString(1, found.getString(1));
                try (ResultSet column = columns.executeQuery()) {
                    while (column.next()) {
                        names.add(column.getString(1));
                    }
                }
                tables.put(found.getString(1), names);
            }
        }
        return tables;
    }

    private static String named(Map.Entry<String, List<String>> table) {
        return table.getKey() + " (" + String.join(", ", table.getValue()) + ")";
    }

    /** Closing an entry must not close the archive. */
    private static final class NonClosingOutput extends FilterOutputStream {
        NonClosingOutput(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    /** Whether the file starts like an archive of this kind. */
    public static boolean isOne(Path copy) throws IOException {
        try (InputStream in = Files.newInputStream(copy)) {
            return new String(in.readNBytes(2), StandardCharsets.ISO_8859_1).equals("PK");
        }
    }
}
