package dev.holdfast.cli.task;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Table;
import dev.holdfast.cli.terminal.WrappedText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates, shows and cancels tasks. */
public final class TaskCommands {
    static final Option NAMESPACE = Option.of("--namespace", "NAME", "Only this namespace.");
    static final Parameter ID = Parameter.required("TASK", "The task.");

    public static final Command CREATE = Command.define("task create", "Create a task from a plan.")
            .description("""
            The plan is a JSON file with the arguments of create_task: name, steps [{key, depends_on, input, max_attempts}], and \
            optionally namespace, policy, finalizer, on_finish, context, idempotency_key. - reads it from standard input.
            Exit code 2: the plan is invalid; nothing was created.""")
            .options(
                    Option.of("-f", "FILE", "The plan."),
                    Option.of("--key", "KEY", "Idempotency key: using it again returns the same task."),
                    Option.HOLDER)
            .examples("holdfast task create -f plan.json", "holdfast task create -f plan.json --key release-1.4")
            .runs(TaskCommands::create);

    public static final Command LIST = Command.define("task list", "List tasks, newest first.")
            .options(Option.withPages(
                    Option.of("--state", "STATE", "Only this state: open, finalizing, complete, failed, cancelled."),
                    NAMESPACE))
            .examples("holdfast task list", "holdfast task list --state open --json")
            .runs(TaskCommands::list);

    public static final Command SHOW = Command.define(
                    "task show", "Show a task, its steps, and why it is in its current state.")
            .description("Exit code 4: no such task.")
            .parameters(ID)
            .options(Option.flag("--results", "Include the steps' inputs and results (with --json)."))
            .examples("holdfast task show 3f2a9c", "holdfast task show 3f2a9c --results --json")
            .runs(TaskCommands::show);

    public static final Command CANCEL = Command.define(
                    "task cancel", "Cancel a task; anyone working on one of its steps loses the claim.")
            .parameters(ID)
            .options(Option.of("--reason", "TEXT", "Why (required)."), Option.HOLDER)
            .examples("holdfast task cancel 3f2a9c --reason 'no longer needed'")
            .runs(TaskCommands::cancel);

    private TaskCommands() {}

    private static ExitCode create(Invocation invocation) {
        String file = invocation.arguments().text("-f");
        if (file == null) {
            throw Failure.invalid("-f FILE is required: the plan");
        }
        Map<String, @Nullable Object> plan = plan(invocation, file);
        String key = invocation.arguments().text("--key");
        if (key != null) {
            plan.put("idempotency_key", key);
        }
        plan.putIfAbsent("holder", invocation.holder());
        return invocation.ask("create_task", plan, TaskCommands::printState);
    }

    private static Map<String, @Nullable Object> plan(Invocation invocation, String file) {
        String named = file.equals("-") ? "standard input" : file;
        try {
            String text = file.equals("-")
                    ? new String(invocation.shell().in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
            if (Json.read(text) instanceof Map<?, ?> members) {
                Map<String, @Nullable Object> plan = new LinkedHashMap<>();
                members.forEach((name, value) -> plan.put(String.valueOf(name), value));
                return plan;
            }
            throw Failure.invalid(named + " is not a plan: it must be a JSON object");
        } catch (IOException | UncheckedIOException | InvalidPathException e) {
            throw Failure.invalid("cannot read " + named + ": " + IoReason.of(e));
        } catch (NotJsonException e) {
            throw Failure.invalid(named + " is not valid JSON: " + e.getMessage());
        }
    }

    private static ExitCode printState(Reply reply, PrintStream out) {
        JsonObject task = reply.json();
        out.println(JsonText.text(task, "task_id") + "  " + JsonText.text(task, "state") + "  "
                + JsonText.text(task, "name"));
        return ExitCode.DONE;
    }

    private static ExitCode list(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = new Input()
                .with("state", arguments.text("--state"))
                .with("namespace", arguments.text("--namespace"))
                .with("limit", arguments.number("--limit"))
                .with("cursor", arguments.text("--cursor"));
        return invocation.ask("list_tasks", input.fields(), (reply, out) -> {
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject task : reply.json().objects("tasks")) {
                rows.add(List.of(
                        JsonText.shortId(task, "task_id"),
                        JsonText.text(task, "state"),
                        TaskText.steps(task),
                        TaskText.progress(task),
                        JsonText.text(task, "name")));
            }
            new Table(List.of("TASK", "STATE", "STEPS", "DONE", "NAME"), rows, List.of("STEPS"))
                    .print(invocation.shell(), out, input.fields().isEmpty() ? "no tasks" : "no task matches");
            invocation.moreIfCut(reply);
            return ExitCode.DONE;
        });
    }

    private static ExitCode show(Invocation invocation) {
        Input input = new Input()
                .with("task_id", invocation.parameter(0, "TASK"))
                .with("results", invocation.arguments().has("--results") ? true : null);
        return invocation.ask("get_task", input.fields(), (reply, out) -> {
            TaskText.lines(reply.json(), Colours.of(invocation.shell()), WrappedText.on(invocation.shell()))
                    .forEach(out::println);
            if (reply.json().has("next_cursor")) {
                out.println("  more steps are not shown; 'task graph' shows them all");
            }
            return ExitCode.DONE;
        });
    }

    private static ExitCode cancel(Invocation invocation) {
        String reason = invocation.arguments().text("--reason");
        if (reason == null) {
            throw Failure.invalid("--reason TEXT is required: why the task is cancelled");
        }
        Input input = new Input()
                .with("task_id", invocation.parameter(0, "TASK"))
                .with("reason", reason)
                .with("holder", invocation.holder());
        return invocation.ask("cancel_task", input.fields(), TaskCommands::printState);
    }
}
