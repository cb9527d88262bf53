package dev.holdfast.cli.demo;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.Shell;

/** Demonstrates Holdfast in one run in a temporary folder. Everything it reports has really happened, or it fails. */
public final class DemoCommand implements Command.Action {
    public static final Command DEFINITION = Command.define(
                    "demo",
                    "Show the whole loop in under a minute: its own broker, reviewers, the gate, work, tasks. No model needed.")
            .description("""
            Runs in a temporary folder with its own broker; yours, if you run one, is not touched. Exit code 0: everything it \
            reported really happened. Cleans up after itself, even on Ctrl-C.""")
            .options(Option.flag("--keep", "Leave the broker running and keep the folder, to look around."))
            .examples("holdfast demo", "holdfast demo --keep")
            .runs(new DemoCommand());

    /** It has its own broker, and its output is for people. */
    @Override
    public boolean asksTheBroker() {
        return false;
    }

    @Override
    public ExitCode run(Invocation invocation) {
        Shell shell = invocation.shell();
        boolean keep = invocation.arguments().has("--keep");
        Narrator narrator = new Narrator(shell.out(), Colours.of(shell));
        DemoStage stage = DemoStage.build(shell);
        Thread cleaning = new Thread(stage::close, "holdfast-demo-cleaning");
        Runtime.getRuntime().addShutdownHook(cleaning);
        try {
            narrator.title();
            play(stage, narrator);
        } catch (RuntimeException e) {
            if (leave(cleaning)) {
                stage.close();
                throw e;
            }
            return stopped(cleaning, stage, narrator);
        }
        if (!leave(cleaning)) {
            return stopped(cleaning, stage, narrator);
        }
        if (keep) {
            narrator.kept(stage.url(), stage.folder(), stage.brokerPid(), Program.name(shell));
        } else {
            stage.close();
            stage.checkGone();
            narrator.gone(Program.name(shell));
        }
        return ExitCode.DONE;
    }

    private static void play(DemoStage stage, Narrator narrator) {
        narrator.chapter("A broker and a repository");
        stage.start();
        narrator.says("broker", "is ready on " + stage.url() + ", with SQLite and no reviewers yet");
        stage.plant();
        narrator.says(
                "git",
                "has a repository \"lighthouse\", a working tree for ann and one for bob, and the gate as a git hook");
        new DemoReviews(stage, narrator).play();
        new DemoWork(stage, narrator).play();
        new DemoTask(stage, narrator).play();
    }

    /** After Ctrl-C, the shutdown hook cleans up and must finish before the program ends. */
    private static ExitCode stopped(Thread cleaning, DemoStage stage, Narrator narrator) {
        try {
            cleaning.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        stage.checkGone();
        narrator.says("demo", "stopped; broker, reviewers and folder are gone");
        return ExitCode.FAILED;
    }

    /** Whether the hook could be removed: not once it has started. */
    private static boolean leave(Thread cleaning) {
        try {
            return Runtime.getRuntime().removeShutdownHook(cleaning);
        } catch (IllegalStateException _) {
            return false;
        }
    }
}
