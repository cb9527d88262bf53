package dev.holdfast.claim;

import static dev.holdfast.claim.GuardHarness.Scenario.HISTORY;
import static dev.holdfast.claim.GuardHarness.Scenario.SEQUENCES;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Removes one guard of the claim code at a time and shows that the proof notices each: a checker that let a missing
 * guard pass would prove nothing.
 */
class GuardsTest {
    private static final String ANSWERS = "SELECT * FROM ({answers}) AS answers\n";
    private static final String ANY_ORDER = "SELECT * FROM ({answers}) AS answers ORDER BY random()\n";

    static List<Mutant> withoutOneGuard() {
        List<Mutant> mutants = new ArrayList<>();
        for (boolean postgres : new boolean[] {false, true}) {
            mutants.add(new Mutant(
                    "replay",
                    "Rules.java",
                    Map.of("return alreadyEnded(row, fence, ending).orElse(plain);", "return plain;"),
                    SEQUENCES,
                    postgres));
            mutants.add(new Mutant(
                    "expected generation in reclaim",
                    "Reclaims.java",
                    Map.of(" || row.generation != expectedGeneration", ""),
                    SEQUENCES,
                    postgres));
            mutants.add(new Mutant(
                    "expiry in sweep",
                    "ResourceTable.java",
                    Map.of("WHERE state = 'held' AND expires_at <= :now\n", "WHERE state = 'held' AND :now = :now\n"),
                    SEQUENCES,
                    postgres));
            mutants.add(new Mutant(
                    "event in the transaction, row by row",
                    "ClaimEvents.java",
                    Map.of(
                            "events.append(transaction, now, type, row.resource.toString(), actor, generation, json(detail));",
                            "if (type.equals(\"claimed\")) {\n"
                                    + "events.append(transaction, now, type, row.resource.toString(), actor, generation, null);\n}"),
                    HISTORY,
                    postgres));
        }
        mutants.addAll(inTheRules());
        mutants.addAll(inTheCombinedStatement());
        mutants.addAll(inTheBatchesOfSqlite());
        return mutants;
    }

    private static List<Mutant> inTheRules() {
        return List.of(
                new Mutant(
                        "generation",
                        "Rules.java",
                        Map.of("if (generation != current) {", "if (generation != current && holder.isEmpty()) {"),
                        SEQUENCES,
                        false),
                new Mutant(
                        "holder",
                        "Rules.java",
                        Map.of(
                                "if (last != null && !last.equals(holder)) {",
                                "if (last != null && holder.isEmpty()) {"),
                        SEQUENCES,
                        false),
                new Mutant(
                        "NotHeld",
                        "Rules.java",
                        Map.of(
                                "return row.held() ? Optional.empty() : Optional.of(new Refusal.NotHeld(row.resource));",
                                "return Optional.empty();"),
                        SEQUENCES,
                        false),
                new Mutant(
                        "expiry",
                        "Rules.java",
                        Map.of("row.under == null ? row.expired(now)", "row.under == null ? true"),
                        SEQUENCES,
                        false),
                new Mutant(
                        "row lock, row by row",
                        "ResourceTable.java",
                        Map.of(
                                "\"SELECT * FROM resources WHERE key = :key FOR UPDATE\"",
                                "\"SELECT * FROM resources WHERE key = :key\"",
                                "\"SELECT * FROM resources WHERE key = :key AND outer_key IS NULL FOR UPDATE\"",
                                "\"SELECT * FROM resources WHERE key = :key AND outer_key IS NULL\""),
                        HISTORY,
                        true));
    }

    private static List<Mutant> inTheCombinedStatement() {
        String file = "CombinedSql.java";
        return List.of(
                new Mutant("generation", file, Map.of(" AND r.generation = a.generation", ""), SEQUENCES, true),
                new Mutant("holder", file, Map.of(" AND r.holder = a.holder", ""), SEQUENCES, true),
                new Mutant(
                        "NotHeld",
                        file,
                        Map.of(
                                "\"r.state = :held AND ",
                                "\"(r.state = :held OR true) AND ",
                                "r.holder = a.holder",
                                "coalesce(r.holder, a.holder) = a.holder"),
                        SEQUENCES,
                        true),
                new Mutant("expiry", file, Map.of("r.state = :ready", "r.state IN (:ready, 'held')"), SEQUENCES, true),
                new Mutant(
                        "row lock, and the condition on the row as it is then",
                        file,
                        Map.of(
                                "key = :keys FOR UPDATE SKIP LOCKED", "key = :keys",
                                "ORDER BY key FOR UPDATE SKIP LOCKED", "ORDER BY key",
                                "r.state = :ready", "(SELECT s.state FROM resources s WHERE s.key = a.key) = :ready"),
                        HISTORY,
                        true),
                new Mutant(
                        "ordinal matching",
                        "CombinedStatement.java",
                        Map.of("int ordinal = results.getInt(1);", "int ordinal = results.getRow() - 1;"),
                        HISTORY,
                        true),
                new Mutant(
                        "event in the transaction, of grants",
                        file,
                        Map.of("generation, NULL FROM taken", "generation, NULL FROM taken WHERE false"),
                        SEQUENCES,
                        true),
                new Mutant(
                        "event in the transaction, of endings",
                        file,
                        Map.of("generation, detail FROM ended", "generation, detail FROM ended WHERE false"),
                        SEQUENCES,
                        true),
                new Mutant(
                        "the completion before the next",
                        file,
                        Map.of("(a.after < 0 OR a.after IN (SELECT ordinal FROM ended))", "true"),
                        SEQUENCES,
                        true));
    }

    private static List<Mutant> inTheBatchesOfSqlite() {
        String file = "SqliteBatches.java";
        return List.of(
                new Mutant("generation", file, Map.of(" AND r.generation = a.generation", ""), SEQUENCES, false),
                new Mutant("holder", file, Map.of(" AND r.holder = a.holder", ""), SEQUENCES, false),
                new Mutant(
                        "NotHeld",
                        file,
                        Map.of(
                                "+r.state = 'held' AND ",
                                "",
                                "r.holder = a.holder",
                                "coalesce(r.holder, a.holder) = a.holder"),
                        SEQUENCES,
                        false),
                new Mutant(
                        "expiry", file, Map.of("+r.state = 'ready'", "r.state IN ('ready', 'held')"), SEQUENCES, false),
                new Mutant(
                        "event in the transaction, of grants",
                        file,
                        Map.of(
                                "if (written.get(take.key()) instanceof CombinedResult.Taken taken) {",
                                "if (written.get(take.key()) instanceof CombinedResult.Taken taken && taken.generation() < 0) {"),
                        SEQUENCES,
                        false),
                new Mutant(
                        "event in the transaction, of endings",
                        file,
                        Map.of(
                                "if (written.containsKey(end.key())) {",
                                "if (written.containsKey(end.key() + end.key())) {"),
                        SEQUENCES,
                        false),
                new Mutant(
                        "the completion before the next",
                        file,
                        Map.of("take.after() == null || written.containsKey(take.after().key())", "true"),
                        SEQUENCES,
                        false));
    }

    /** The code as it is, and with the answers in whatever order the database chooses, which ordinals make harmless. */
    static List<Mutant> withAllGuards() {
        List<Mutant> whole = new ArrayList<>();
        for (boolean postgres : new boolean[] {false, true}) {
            whole.add(new Mutant("nothing (sequences)", "Rules.java", Map.of(), SEQUENCES, postgres));
            whole.add(new Mutant("nothing (history)", "Rules.java", Map.of(), HISTORY, postgres));
        }
        whole.add(new Mutant("any order", "CombinedSql.java", Map.of(ANSWERS, ANY_ORDER), HISTORY, true));
        return whole;
    }

    @ParameterizedTest
    @MethodSource("withAllGuards")
    void with_all_guards_nothing_is_wrong(Mutant whole, @TempDir Path classes) throws Exception {
        assertThat(whole.objection(classes)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("withoutOneGuard")
    void without_one_guard_the_proof_objects(Mutant mutant, @TempDir Path classes) throws Exception {
        assertThat(mutant.objection(classes)).isPresent();
    }
}
