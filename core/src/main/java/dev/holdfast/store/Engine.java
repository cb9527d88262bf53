package dev.holdfast.store;

/** The two databases a {@link Store} can be kept in. */
public enum Engine {
    SQLITE(27, "SELECT count(*) FROM sqlite_master WHERE name = 'schema_history'"),
    POSTGRES(28, "SELECT count(to_regclass('schema_history'))");

    /** The version of its last migration. */
    final int newestSchema;

    /** Counts one where the database has been migrated before. */
    final String migratedBefore;

    Engine(int newestSchema, String migratedBefore) {
        this.newestSchema = newestSchema;
        this.migratedBefore = migratedBefore;
    }
}
