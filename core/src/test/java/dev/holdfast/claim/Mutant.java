package dev.holdfast.claim;

import dev.holdfast.testing.ChangedSource;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The claim code with one guard removed.
 *
 * @param file in dev.holdfast.claim
 * @param changes snippet to replacement; each snippet must occur in the file exactly once
 */
record Mutant(
        String guard, String file, Map<String, String> changes, GuardHarness.Scenario scenario, boolean postgres) {
    /** What its scenario objects to; the mutant is compiled into this folder. */
    Optional<String> objection(Path classes) throws Exception {
        List<String> arguments =
                postgres ? List.of(scenario.name(), TestPostgres.freshDatabase()) : List.of(scenario.name());
        return new ChangedSource("claim/" + file, changes).objection(classes, GuardHarness.class, arguments);
    }

    @Override
    public String toString() {
        return guard + " in " + file + " on " + (postgres ? "PostgreSQL" : "SQLite");
    }
}
