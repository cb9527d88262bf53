package dev.holdfast.claim;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Runs the same calls on the model and on a subject, and reports where they first differ. */
final class Comparison {
    private Comparison() {}

    /** The first difference, in readable form; empty if there is none. */
    static Optional<String> firstDifference(List<Step> steps, Subject subject) {
        ModelClaims model = new ModelClaims();
        for (int i = 0; i < steps.size(); i++) {
            Function<Subject, Object> call = steps.get(i).call(model);
            Object expected = call.apply(model);
            Object actual = answer(call, subject);
            if (!Objects.equals(expected, actual)) {
                return Optional.of(
                        "step " + i + ": " + steps.get(i) + "\n  model: " + expected + "\n  store: " + actual);
            }
        }
        if (!model.held().equals(subject.held())) {
            return Optional.of("held at the end\n  model: " + model.held() + "\n  store: " + subject.held());
        }
        if (!model.events().equals(subject.events())) {
            return Optional.of("events\n  model: " + model.events() + "\n  store: " + subject.events());
        }
        return Invariants.broken(subject.events()).stream().findFirst();
    }

    private static Object answer(Function<Subject, Object> call, Subject subject) {
        try {
            return call.apply(subject);
        } catch (RuntimeException e) {
            return e;
        }
    }
}
