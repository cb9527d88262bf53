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
 * Takes out one guard of the claim code at a time and shows that the proof notices each: a checker that would let a
 * missing guard pass proves nothing.
 */
class GuardsTest {
    private static final String HELD_BY_THE_FENCE =
            "WHEN l.state = 'held' AND l.generation = l.shown AND l.holder = l.caller\n";
    private static final String BY_ORDINAL = "judged[results.getInt(1)] = read(results);";
    private static final String LAST_LINE = "FROM answers\n            \"\"\";";
    private static final String ANY_ORDER = "FROM answers ORDER BY random()\n            \"\"\";";

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
        String file = "CombinedStatement.java";
        return List.of(
                new Mutant(
                        "generation",
                        file,
                        Map.of(HELD_BY_THE_FENCE, "WHEN l.state = 'held' AND l.holder = l.caller\n"),
                        SEQUENCES,
                        true),
                new Mutant(
                        "holder",
                        file,
                        Map.of(HELD_BY_THE_FENCE, "WHEN l.state = 'held' AND l.generation = l.shown\n"),
                        SEQUENCES,
                        true),
                new Mutant(
                        "NotHeld",
                        file,
                        Map.of(
                                HELD_BY_THE_FENCE,
                                "WHEN l.generation = l.shown AND coalesce(l.holder, l.caller) = l.caller\n"),
                        SEQUENCES,
                        true),
                new Mutant(
                        "expiry",
                        file,
                        Map.of(
                                "WHEN l.state = 'held' AND l.expires_at <= clock.now THEN 'ELSEWHERE'",
                                "WHEN l.state = 'held' THEN 'GRANT'"),
                        SEQUENCES,
                        true),
                new Mutant(
                        "row lock and the condition repeated",
                        file,
                        Map.of(
                                "ORDER BY r.key FOR UPDATE OF r SKIP LOCKED", "ORDER BY r.key",
                                " AND r.generation = j.generation AND r.state = j.state\n", "\n"),
                        HISTORY,
                        true),
                new Mutant(
                        "ordinal matching",
                        file,
                        Map.of(BY_ORDINAL, "judged[results.getRow() - 1] = read(results);", LAST_LINE, ANY_ORDER),
                        HISTORY,
                        true),
                new Mutant(
                        "event in the transaction, of grants",
                        file,
                        Map.of(
                                "FROM changed c WHERE c.verdict IN ('GRANT', 'END')",
                                "FROM changed c WHERE c.verdict IN ('END')"),
                        SEQUENCES,
                        true),
                new Mutant(
                        "event in the transaction, of endings",
                        file,
                        Map.of(
                                "FROM changed c WHERE c.verdict IN ('GRANT', 'END')",
                                "FROM changed c WHERE c.verdict IN ('GRANT')"),
                        SEQUENCES,
                        true));
    }

    /** The code as it is, and with answers in an order of the database's choice, which ordinals make harmless. */
    static List<Mutant> withAllGuards() {
        List<Mutant> whole = new ArrayList<>();
        for (boolean postgres : new boolean[] {false, true}) {
            whole.add(new Mutant("nothing (sequences)", "Rules.java", Map.of(), SEQUENCES, postgres));
            whole.add(new Mutant("nothing (history)", "Rules.java", Map.of(), HISTORY, postgres));
        }
        whole.add(new Mutant("any order", "CombinedStatement.java", Map.of(LAST_LINE, ANY_ORDER), HISTORY, true));
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
