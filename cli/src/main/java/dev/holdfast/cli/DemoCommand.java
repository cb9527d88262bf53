package dev.holdfast.cli;

import java.util.List;

/** Shows the whole of Holdfast in one run on a throw-away folder. Everything that is told has happened, or it fails. */
final class DemoCommand implements Command.Action {
    static final Command DEFINITION = new Command(
            "demo",
            "Show the whole loop in less than a minute: a broker of its own, reviewers, the gate, work, tasks. No model needed.",
            """
            Works in a throw-away folder with a broker of its own; yours, if there is one, is not touched. Exit code 0: all \
            that was told has happened. Cleans up after itself, also on Ctrl-C.""",
            List.of(),
            List.of(Option.flag("--keep", "Leave the broker running and the folder in place, to look around.")),
            List.of("holdfast demo", "holdfast demo --keep"),
            new DemoCommand());

    /** It has a broker of its own, and what it tells is for people. */
    @Override
    public boolean asksTheBroker() {
        return false;
    }

    @Override
    public ExitCode run(Invocation invocation) {
        Shell shell = invocation.shell();
        boolean keep = invocation.arguments().has("--keep");
        Narrator narrator = new Narrator(shell.out(), Paint.of(shell));
        DemoStage stage = DemoStage.build(shell);
        Thread cleaning = new Thread(stage::close, "holdfast-demo-cleaning");
        Runtime.getRuntime().addShutdownHook(cleaning);
        boolean played = false;
        try {
            narrator.title();
            play(stage, narrator);
            played = true;
        } finally {
            // When Ctrl-C ends it, the hook cleans up, and can't be taken back any more.
            if (leave(cleaning) && !(keep && played)) {
                stage.close();
            }
        }
        if (keep) {
            narrator.kept(stage.url(), stage.folder(), stage.brokerPid(), Program.name(shell));
        } else {
            stage.checkGone();
            narrator.gone(Program.name(shell));
        }
        return ExitCode.DONE;
    }

    private static void play(DemoStage stage, Narrator narrator) {
        narrator.chapter("A broker and a repository");
        stage.start();
        narrator.says("broker", "is ready on " + stage.url() + ", with SQLite and no reviewer so far");
        stage.plant();
        narrator.says(
                "git", "has a repository \"lighthouse\", a working tree for ann and one for bob, and the gate as hook");
        new DemoReviews(stage, narrator).play();
        new DemoWork(stage, narrator).play();
        new DemoTask(stage, narrator).play();
    }

    private static boolean leave(Thread cleaning) {
        try {
            return Runtime.getRuntime().removeShutdownHook(cleaning);
        } catch (IllegalStateException _) {
            return false;
        }
    }
}
