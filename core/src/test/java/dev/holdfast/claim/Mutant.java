package dev.holdfast.claim;

import dev.holdfast.testing.ChangedSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The claim code with one guard taken out.
 *
 * @param file of dev.holdfast.claim
 * @param changes snippet to replacement; each snippet must stand in the file exactly once
 */
record Mutant(
        String guard, String file, Map<String, String> changes, GuardHarness.Scenario scenario, boolean postgres) {
    /** Compiles the changed source into this folder. */
    void compileInto(Path classes) throws IOException {
        new ChangedSource("claim/" + file, changes).compileInto(classes);
    }

    @Override
    public String toString() {
        return guard + " in " + file + " on " + (postgres ? "PostgreSQL" : "SQLite");
    }
}
