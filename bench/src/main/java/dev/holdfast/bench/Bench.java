package dev.holdfast.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code holdfast bench}: the performance table, measured on this machine beside peers and limits. */
public final class Bench {
    static final List<Scenario> SCENARIOS = List.of(
            new YardstickAlone(),
            new ThirtyTwoAgents(),
            new ManyAgents(),
            new LoneAgent(),
            new NewWork(),
            new HeldSnapshot(),
            new FinishedRows(),
            new TransactionsPerUnit(),
            new EmbeddedAgents(),
            new FanIn(),
            new Finalizers(),
            new LightBroker(),
            new HookCalls(),
            new DeadHolder(),
            new ManyWaiters());

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        Options options;
        List<Scenario> chosen;
        try {
            options = Options.parse(List.of(arguments));
            chosen = chosen(options.names());
        } catch (IllegalArgumentException e) {
            System.err.println("holdfast bench: " + e.getMessage());
            System.err.print(Options.USAGE);
            System.exit(2);
            return;
        }
        if (options.help()) {
            System.out.print(Options.USAGE);
        } else if (options.list()) {
            SCENARIOS.forEach(scenario -> System.out.printf("%-10s %s%n", scenario.name(), scenario.measures()));
        } else {
            System.exit(run(chosen, options, System.out, System.err));
        }
    }

    /** The exit code: 1 when a guard was violated. */
    static int run(List<Scenario> chosen, Options options, PrintStream out, PrintStream progress) throws Exception {
        Instant started = Instant.now();
        List<Results> all = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        Map<String, String> machine;
        Lab lab = new Lab(options.warmUp(), options.measured());
        Thread onExit = new Thread(() -> close(lab));
        Runtime.getRuntime().addShutdownHook(onExit);
        try {
            Rounds rounds = new Rounds(lab, progress);
            for (Scenario scenario : chosen) {
                Results results = rounds.run(scenario, options.rounds());
                all.add(results);
                violations.addAll(results.violations());
            }
            if (lab.usedPostgres()) {
                progress.println("crash  SIGKILL to PostgreSQL under 32 agents, and on");
                Durability.Checked checked = Durability.check(lab);
                progress.printf(
                        "  %,d acknowledged completions, %d violations%n",
                        checked.acknowledged(), checked.violations().size());
                violations.addAll(checked.violations());
            }
            machine = Machine.describe(lab);
        } finally {
            close(lab);
            Runtime.getRuntime().removeShutdownHook(onExit);
        }
        out.print(Report.table(all));
        if (options.json() != null) {
            Files.writeString(options.json(), JsonReport.write(started, machine, all, violations));
        }
        violations.forEach(violation -> out.println("VIOLATED: " + violation));
        return violations.isEmpty() ? 0 : 1;
    }

    private static List<Scenario> chosen(List<String> names) {
        if (names.isEmpty()) {
            return SCENARIOS;
        }
        return names.stream()
                .map(name -> SCENARIOS.stream()
                        .filter(scenario -> scenario.name().equalsIgnoreCase(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("there is no '" + name + "'; see --list")))
                .toList();
    }

    private static void close(Lab lab) {
        try {
            lab.close();
        } catch (IOException e) {
            System.err.println("holdfast bench: could not clean up: " + e.getMessage());
        }
    }
}
