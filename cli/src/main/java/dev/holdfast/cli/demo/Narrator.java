package dev.holdfast.cli.demo;

import dev.holdfast.cli.terminal.Colours;
import java.io.PrintStream;
import java.nio.file.Path;

/** Narrates a run as it happens: when, who, what, one short line each. */
final class Narrator {
    private static final String PICTURE = """

              ann, bob            the broker             its reviewers
             git commit ──▶ gate ──▶ review ──▶ claimed, read, judged
                 ▲                                    │      │
                 └─ fix ◀── changes requested ◀───────┘      │
             committed ◀──────── approved ◀──────────────────┘
            """;

    private static final int LONGEST_DETAIL = 76;

    private final PrintStream out;
    private final Colours paint;
    private final long begin = System.nanoTime();
    private int chapters;

    Narrator(PrintStream out, Colours paint) {
        this.out = out;
        this.paint = paint;
    }

    void title() {
        line(paint.bold("Holdfast") + ": agents work on the same code without stepping on each other's toes.");
        PICTURE.lines().forEach(this::line);
    }

    void chapter(String title) {
        chapters++;
        line("");
        line(paint.bold(chapters + "  " + title));
    }

    void says(String who, String what) {
        line(when() + " " + paint.bold(column(who)) + " " + what);
    }

    /** What somebody typed. */
    void types(String who, String command) {
        says(who, paint.faint("$ ") + command);
    }

    /** More about the previous line, as far as it fits. */
    void detail(String text) {
        line(" ".repeat(20) + (text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) + "…" : text));
    }

    Colours paint() {
        return paint;
    }

    void gone(String program) {
        chapter("Done");
        says("all", paint.good("of this really happened.") + " Broker, reviewers and folder are gone.");
        line("");
        line("Try next:");
        next(program + " demo --keep", "the same, but the broker stays up for you to explore");
        next(program + " init", "in your own repository: MCP entries, hooks, the gate, a broker");
        next(program + " help", "all commands; docs/pool.md explains reviewers with a model");
    }

    void kept(String url, Path folder, long broker, String program) {
        chapter("Over to you");
        says("broker", "is still running at " + url + " (process " + broker + ")");
        line(" ".repeat(20) + "everything is in " + folder);
        line("");
        line("Try next:");
        line("  " + url + "/");
        line("      " + paint.faint("the dashboard, in a browser: what was proposed, judged and done"));
        line("  export HOLDFAST_URL=" + url + " HOLDFAST_AGENT=me");
        next(program + " pool status", "the reviewers");
        next(program + " review list --everywhere", "the reviews; 'review show ID' has the findings");
        next(program + " events --follow", "events, as they happen");
        next("kill " + broker + "; rm -r " + folder, "when you are done");
    }

    private void next(String command, String why) {
        line("  " + command);
        line("      " + paint.faint(why));
    }

    private String when() {
        return paint.faint("%5.1f s".formatted((System.nanoTime() - begin) / 1e9));
    }

    private static String column(String who) {
        return "%-11s".formatted(who);
    }

    private void line(String text) {
        out.println(text);
        out.flush();
    }
}
