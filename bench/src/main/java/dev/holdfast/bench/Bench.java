package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code holdfast bench}: the performance table, measured on this machine next to peers and limits. */
public final class Bench {
    static final List<Scenario> SCENARIOS = List.of(
            new Scenario(
                    "yardstick",
                    "durable one-row updates on 8 PostgreSQL connections, and on one of SQLite",
                    Engine.POSTGRES,
                    YardstickAlone::entries,
                    List.of()),
            new Scenario(
                    "P1",
                    "32 agents, one unit per call, PostgreSQL, in process, with fence and event rows",
                    Engine.POSTGRES,
                    ThirtyTwoAgents::entries,
                    ThirtyTwoAgents.GOALS),
            new Scenario(
                    "P2",
                    "256 agents, complete-and-next, PostgreSQL",
                    Engine.POSTGRES,
                    ManyAgents::entries,
                    ManyAgents.GOALS),
            new Scenario(
                    "P3",
                    "one agent, idle broker: the median time of a claim",
                    Engine.POSTGRES,
                    LoneAgent::entries,
                    LoneAgent.GOALS),
            new Scenario(
                    "P4",
                    "from the call that creates a resource until an agent that waited holds it, median",
                    Engine.POSTGRES,
                    NewWork::entries,
                    NewWork.GOALS),
            new Scenario(
                    "P5",
                    "8 agents, claim then complete, while an idle transaction holds a snapshot for 10 s",
                    Engine.POSTGRES,
                    HeldSnapshot::entries,
                    HeldSnapshot.GOALS),
            new Scenario(
                    "P6",
                    "8 agents, claim then complete, beside many finished rows and beside few",
                    Engine.POSTGRES,
                    FinishedRows::entries,
                    FinishedRows.GOALS),
            new Scenario(
                    "P7",
                    "transactions that PostgreSQL counts per completed unit, 32 agents; it does not depend on the disk",
                    Engine.POSTGRES,
                    TransactionsPerUnit::entries,
                    TransactionsPerUnit.GOALS),
            new Scenario(
                    "P8",
                    "SQLite with every commit synced: 32 agents, claim then complete; 32 callers, whole reviews",
                    Engine.SQLITE,
                    EmbeddedAgents::entries,
                    EmbeddedAgents.GOALS),
            new Scenario(
                    "P9",
                    "128 connections that claim and release over HTTP, PostgreSQL, beside calls that do nothing",
                    Engine.POSTGRES,
                    HttpAgents::entries,
                    HttpAgents.GOALS),
            new Scenario(
                    "P10",
                    "fan-in: 64 agents claim and complete 10,000 steps and end the tasks, of 10,000 steps and of 10",
                    Engine.POSTGRES,
                    FanIn::entries,
                    FanIn.GOALS),
            new Scenario(
                    "finalize",
                    "32 processors over HTTP on tasks of 20 steps: the claim of who did the last step, its time and success",
                    Engine.POSTGRES,
                    Finalizers::entries,
                    Finalizers.GOALS),
            new Scenario(
                    "P11",
                    "a broker's start, memory and idle cost, on SQLite, with the flags and the cache that are shipped",
                    Engine.SQLITE,
                    LightBroker::entries,
                    LightBroker.GOALS),
            new Scenario(
                    "P12",
                    "a hook call beside plain curl, and commands: the median time, process included",
                    Engine.SQLITE,
                    HookCalls::entries,
                    HookCalls.GOALS),
            new Scenario(
                    "P13",
                    "taking back 10,000 claims of a holder that is dead",
                    Engine.POSTGRES,
                    DeadHolder::entries,
                    DeadHolder.GOALS),
            new Scenario(
                    "P14",
                    "memory of each of 10,000 who wait for work; one item wakes one",
                    Engine.SQLITE,
                    ManyWaiters::entries,
                    ManyWaiters.GOALS));

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
            System.out.printf("%-10s %s; only if named%n", Growth.NAME, Growth.MEASURES);
        } else if (options.from() != null && options.charts() != null) {
            Charts.draw(Files.readString(options.from()), options.charts());
        } else {
            System.exit(run(chosen, options, System.out, System.err));
        }
    }

    /** Returns the exit code: 1 when a guard was violated. */
    static int run(List<Scenario> chosen, Options options, PrintStream out, PrintStream progress) throws Exception {
        Instant started = Instant.now();
        List<Results> all = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
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
            if (options.names().stream().anyMatch(Growth.NAME::equalsIgnoreCase)) {
                curves.addAll(Growth.measure(lab, options.max(), progress));
            }
            if (lab.usedPostgres() && !chosen.isEmpty()) {
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
        out.print(Report.growth(curves));
        String json = JsonReport.write(started, machine, all, curves, violations);
        if (options.json() != null) {
            Files.writeString(options.json(), json);
        }
        if (options.charts() != null) {
            Charts.draw(json, options.charts());
        }
        violations.forEach(violation -> out.println("VIOLATED: " + violation));
        return violations.isEmpty() ? 0 : 1;
    }

    static List<Scenario> chosen(List<String> names) {
        if (names.isEmpty()) {
            return SCENARIOS;
        }
        return names.stream()
                .filter(name -> !name.equalsIgnoreCase(Growth.NAME))
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
