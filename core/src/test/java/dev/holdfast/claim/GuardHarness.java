package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;

/** Runs the proof's checkers in a process of its own and ends with {@link #NOTICED} when one of them objects. */
final class GuardHarness {
    static final int NOTICED = 3;

    /** Which checker looks. */
    enum Scenario {
        /** Random sequences, model against store. */
        SEQUENCES,
        /** A concurrent history. */
        HISTORY
    }

    private GuardHarness() {}

    /** @param args the scenario, and the database (none: SQLite) */
    public static void main(String[] args) {
        Optional<String> objection = objection(args);
        System.out.println(objection.orElse("no objection"));
        System.exit(objection.isPresent() ? NOTICED : 0);
    }

    /** What a checker objects to; an engine that trips over what a missing guard let through has been noticed too. */
    private static Optional<String> objection(String[] args) {
        Scenario scenario = Scenario.valueOf(args[0]);
        try {
            return look(scenario, args);
        } catch (IllegalStateException | NoSuchElementException e) {
            return Optional.of("the engine contradicts itself: " + e);
        }
    }

    private static Optional<String> look(Scenario scenario, String[] args) {
        try (TestStore on = store(scenario, args)) {
            return switch (scenario) {
                case SEQUENCES -> sequences(on, args.length > 1 ? 25 : 200);
                case HISTORY -> history(on);
            };
        }
    }

    private static TestStore store(Scenario scenario, String[] args) {
        return switch (scenario) {
            case SEQUENCES -> args.length > 1 ? TestStore.settable(args[1]) : TestStore.settable(Engine.SQLITE);
            case HISTORY -> args.length > 1 ? TestStore.ticking(args[1]) : TestStore.ticking(Engine.SQLITE);
        };
    }

    private static Optional<String> sequences(TestStore on, int most) {
        for (int seed = 0; seed < most; seed++) {
            on.empty();
            try (StoreClaims claims = StoreClaims.on(on)) {
                Optional<String> difference =
                        Comparison.firstDifference(new RandomSteps(new Random(seed)).sequence(60), claims);
                if (difference.isPresent()) {
                    return difference;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> history(TestStore on) {
        for (int round = 0; round < 2; round++) {
            on.empty();
            List<Call> calls = HistoryWorkload.of("agent", 24, 60, round).run(on.store());
            List<String> wrong = HistoryCheck.broken(calls, StoreClaims.told(on.store()));
            if (!wrong.isEmpty()) {
                return Optional.of(wrong.getFirst());
            }
        }
        return Optional.empty();
    }
}
