package dev.holdfast.store;

/** The two databases that a {@link Store} can use. */
public enum Engine {
    SQLITE(29, "SELECT count(*) FROM sqlite_master WHERE name = 'schema_history'"),
    POSTGRES(30, "SELECT count(to_regclass('schema_history'))");

    /** The version of its last migration. */
    final int newestSchema;

    /** Counts 1 if the database has been migrated before. */
    final String migratedBefore;

    Engine(int newestSchema, String migratedBefore) {
        this.newestSchema = newestSchema;
        this.migratedBefore = migratedBefore;
    }

    public int newestSchema() {
        return newestSchema;
    }
}
