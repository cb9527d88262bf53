package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs the entries of a scenario in turn, round by round, with a yardstick before and after each. */
record Rounds(Lab lab, PrintStream progress) {
    Results run(Scenario scenario, int rounds) throws Exception {
        List<Entry> entries = scenario.entries(lab);
        Yardstick yardstick = lab.yardstick(scenario.store());
        List<Sample> samples = new ArrayList<>();
        progress.printf("%s  %s%n", scenario.name(), scenario.measures());
        for (int round = 1; round <= rounds; round++) {
            double before = yardstick.measure();
            // back and forth, so that no entry always runs after the same neighbour
            for (Entry entry : round % 2 == 1 ? entries : entries.reversed()) {
                Outcome outcome = entry.measurement().measure();
                double after = yardstick.measure();
                Sample sample = new Sample(round, entry.name(), outcome, before, after);
                samples.add(sample);
                tell(entry, sample);
                before = after;
            }
        }
        return new Results(scenario, entries, rounds, samples);
    }

    private void tell(Entry entry, Sample sample) {
        String text = switch (sample.outcome()) {
            case Figure figure ->
                Report.number(figure.value()) + " " + entry.unit()
                        + (figure.violations().isEmpty() ? "" : "  VIOLATED: " + figure.violations());
            case NotAvailable missing -> "not available: " + missing.why();
        };
        progress.printf(
                Locale.ROOT,
                "  round %d  %-44s %s  (yardstick %.0f, %.0f%s)%n",
                sample.round(),
                entry.name(),
                text,
                sample.yardstickBefore(),
                sample.yardstickAfter(),
                sample.quiet() ? "" : ": too noisy, thrown away");
    }
}
