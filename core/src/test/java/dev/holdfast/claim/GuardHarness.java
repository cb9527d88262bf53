package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.Checker;
import dev.holdfast.testing.TestStore;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;

/** The proof's checkers: random sequences against the model, and concurrent histories. */
public final class GuardHarness implements Checker {
    /** Which checker runs. */
    enum Scenario {
        /** Random sequences, the model against the store. */
        SEQUENCES,
        /** A concurrent history. */
        HISTORY
    }

    /**
     * An engine that fails because of what a missing guard let through counts as caught, too.
     *
     * @param arguments the scenario, and the database (none: SQLite)
     */
    @Override
    public Optional<String> objection(List<String> arguments) {
        try {
            return look(Scenario.valueOf(arguments.getFirst()), arguments);
        } catch (IllegalStateException | NoSuchElementException e) {
            return Optional.of("the engine contradicts itself: " + e);
        }
    }

    private static Optional<String> look(Scenario scenario, List<String> arguments) {
        try (TestStore on = store(scenario, arguments)) {
            return switch (scenario) {
                case SEQUENCES -> sequences(on, arguments.size() > 1 ? 25 : 200);
                case HISTORY -> history(on);
            };
        }
    }

    private static TestStore store(Scenario scenario, List<String> arguments) {
        return switch (scenario) {
            case SEQUENCES ->
                arguments.size() > 1 ? TestStore.settable(arguments.get(1)) : TestStore.settable(Engine.SQLITE);
            case HISTORY ->
                arguments.size() > 1 ? TestStore.ticking(arguments.get(1)) : TestStore.ticking(Engine.SQLITE);
        };
    }

    private static Optional<String> sequences(TestStore on, int max) {
        for (int seed = 0; seed < max; seed++) {
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
            List<String> wrong = HistoryCheck.broken(calls, StoreClaims.events(on.store()));
            if (!wrong.isEmpty()) {
                return Optional.of(wrong.getFirst());
            }
        }
        return Optional.empty();
    }
}
