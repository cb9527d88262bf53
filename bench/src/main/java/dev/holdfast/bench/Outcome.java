package dev.holdfast.bench;

import java.util.List;
import java.util.Map;

/** The result of running an entry once. */
sealed interface Outcome {
    /**
     * @param details further numbers from the same run, by name
     * @param violations guards that did not hold; must be empty
     */
    record Figure(double value, Map<String, Double> details, List<String> violations) implements Outcome {
        static Figure of(double value) {
            return new Figure(value, Map.of(), List.of());
        }
    }

    /** This machine cannot run it. */
    record NotAvailable(String why) implements Outcome {}
}
