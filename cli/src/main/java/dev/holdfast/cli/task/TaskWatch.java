package dev.holdfast.cli.task;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Shows a task's progress until it has ended. */
public final class TaskWatch {
    public static final Command DEFINITION = Command.define("task watch", "Follow a task until it ends.")
            .description("""
            On a terminal the view is redrawn when something changes; in a pipe or file, each change is one line.
            Exit code 0: complete. 1: failed or cancelled. 4: no such task.""")
            .parameters(TaskCommands.ID)
            .examples("holdfast task watch 3f2a9c")
            .runs(TaskWatch::run);

    private static final Duration PAUSE = Duration.ofMillis(500);

    private TaskWatch() {}

    private static ExitCode run(Invocation invocation) {
        Input input = new Input().with("task_id", invocation.parameter(0, "TASK"));
        BrokerClient broker = invocation.broker();
        PrintStream out = invocation.shell().out();
        int width = invocation.shell().width().getAsInt();
        boolean live = width > 0 && !invocation.arguments().has("--json");
        List<String> before = List.of();
        while (true) {
            Reply reply = broker.call("get_task", input.fields());
            if (!reply.accepted()) {
                return invocation.print(reply, (_, _) -> ExitCode.DONE);
            }
            JsonObject task = reply.json();
            List<String> now = live
                    ? TaskText.view(task, width)
                    : List.of(TaskText.progress(task) + "  " + JsonText.text(task, "state") + "  "
                            + TaskText.steps(task));
            if (!now.equals(before)) {
                if (invocation.arguments().has("--json")) {
                    invocation.printDocument(reply.text());
                } else {
                    draw(out, live ? before.size() : 0, now);
                }
                before = now;
            }
            String state = String.valueOf(task.text("state"));
            if (!state.equals("open") && !state.equals("finalizing")) {
                return state.equals("complete") ? ExitCode.DONE : ExitCode.FAILED;
            }
            if (out.checkError() || !pause()) {
                return ExitCode.DONE;
            }
        }
    }

    /** Draws over the lines drawn last. */
    private static void draw(PrintStream out, int drawn, List<String> lines) {
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append("\u001b[").append(drawn).append("A\u001b[J");
        }
        lines.forEach(line -> text.append(line).append('\n'));
        out.print(text);
        out.flush();
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
