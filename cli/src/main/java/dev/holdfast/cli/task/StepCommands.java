package dev.holdfast.cli.task;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims steps of tasks, and reports their results. */
public final class StepCommands {
    private static final Parameter STEP = Parameter.required("STEP", "The step's id, as printed when you claimed it.");

    public static final Command NEXT = Command.define("task next", "Claim the next step that is ready.")
            .description("""
            Keep the generation from the answer: complete, fail and 'heartbeat step:STEP' need it. If there is none, this prints \
            "nothing is ready" and exits with 5 (with --json: "step": null).""")
            .options(
                    Option.HOLDER,
                    TaskCommands.NAMESPACE,
                    Option.TTL,
                    Option.of("--wait", "TIME", "Wait this long for one. Default: do not wait."))
            .examples("holdfast task next --namespace shop --wait 50s --json")
            .runs(StepCommands::next);

    public static final Command COMPLETE = Command.define("task complete", "Report that a step is done.")
            .description("Exit code 6: the claim is lost; nothing was changed.")
            .parameters(STEP)
            .options(
                    Option.GENERATION,
                    Option.HOLDER,
                    Option.of("--result", "JSON", "Its result, passed on to the steps after it."),
                    Option.flag("--next", "Claim the next step in the same call."),
                    TaskCommands.NAMESPACE)
            .examples("holdfast task complete 3f2a9c.build --generation 1 --result '\"9b1f\"' --next")
            .runs(invocation -> ended(invocation, "complete_step"));

    public static final Command FAIL = Command.define(
                    "task fail", "Report that a step failed; it is retried until its attempts are used up.")
            .description("Exit code 6: the claim is lost; nothing was changed.")
            .parameters(STEP)
            .options(
                    Option.GENERATION,
                    Option.HOLDER,
                    Option.of("--error", "TEXT", "Why it failed."),
                    Option.flag("--no-retry", "Do not retry."))
            .examples("holdfast task fail 3f2a9c.build --generation 1 --error 'compiler error'")
            .runs(invocation -> ended(invocation, "fail_step"));

    private StepCommands() {}

    private static ExitCode next(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = new Input()
                .with("holder", invocation.holder())
                .with("namespace", arguments.text("--namespace"))
                .withSeconds("ttl_seconds", arguments.duration("--ttl"));
        Reply reply = invocation.wait(invocation.broker(), "claim_next_step", input);
        return invocation.print(reply, (answer, out) -> print(answer.json(), out));
    }

    private static ExitCode print(JsonObject grant, PrintStream out) {
        JsonObject step = grant.object("step");
        if (step.text("step_id") == null) {
            out.println("nothing is ready");
            return ExitCode.NOT_CLAIMABLE;
        }
        out.println(JsonText.shortId(step, "step_id") + "  generation " + grant.number("claim_generation") + "  until "
                + JsonText.time(grant, "expires_at"));
        if (step.get("input") != null) {
            out.println("  input    " + Printable.of(Json.write(step.get("input"))));
        }
        if (step.get("results") instanceof Map<?, ?> results && !results.isEmpty()) {
            out.println("  results  " + Printable.of(Json.write(results)));
        }
        return ExitCode.DONE;
    }

    private static ExitCode ended(Invocation invocation, String verb) {
        Arguments arguments = invocation.arguments();
        String id = invocation.parameter(0, "STEP");
        if (!arguments.has("--generation")
                && invocation.broker().generation(invocation.holder(), "step:" + id) == null) {
            return notKnownHere(invocation, id, verb.equals("complete_step"));
        }
        Input input = new Input()
                .with("step_id", id)
                .with("holder", invocation.holder())
                .with("claim_generation", arguments.number("--generation"));
        if (verb.equals("complete_step")) {
            input.with("result", json(arguments.text("--result")))
                    .with("next", arguments.has("--next") ? true : null)
                    .with("namespace", arguments.text("--namespace"));
        } else {
            if (!arguments.has("--error")) {
                throw Failure.invalid("task fail needs --error TEXT: why it failed");
            }
            input.with("error", arguments.text("--error")).with("retry", arguments.has("--no-retry") ? false : null);
        }
        return invocation.ask(verb, input.fields(), (reply, out) -> {
            JsonObject task = reply.json().object("task");
            out.println(outcome(reply.json()) + "; " + state(task));
            if (reply.json().has("next")) {
                print(reply.json().object("next"), out);
            }
            return ExitCode.DONE;
        });
    }

    /**
     * A step that was not claimed on this machine: either it has already succeeded, and this is a repeat, or it is not
     * the caller's.
     */
    private static ExitCode notKnownHere(Invocation invocation, String id, boolean completes) {
        int dot = id.indexOf('.');
        if (dot < 0) {
            throw Failure.invalid("a step is named TASK.STEP, such as 3f2a9c.build, not '" + id + "'");
        }
        String key = id.substring(dot + 1);
        Reply reply = invocation.broker().call("get_task", Map.of("task_id", id.substring(0, dot)));
        if (!reply.accepted()) {
            return invocation.print(reply, (_, _) -> ExitCode.DONE);
        }
        JsonObject step = reply.json().objects("steps").stream()
                .filter(each -> key.equals(each.text("key")))
                .findFirst()
                .orElseThrow(() -> Failure.notFound("the task has no step " + key + "; 'task show' lists them"));
        String state = JsonText.text(step, "state");
        String holder = step.text("holder");
        if (completes && state.equals("succeeded")) {
            if (invocation.arguments().has("--json")) {
                invocation.printDocument(Json.write(Map.of("state", state, "already", true)));
            } else {
                invocation
                        .shell()
                        .out()
                        .println("completed already; the task is " + JsonText.text(reply.json(), "state"));
            }
            return ExitCode.DONE;
        }
        if (holder == null) {
            throw Failure.lost("nobody holds step " + key + ": it is " + state + "; 'task next' claims a ready one");
        }
        throw holder.equals(invocation.holder())
                ? Failure.invalid(
                        "--generation N is missing: you claimed the step elsewhere; 'who' shows its generation")
                : Failure.lost("you do not hold step " + key + "; " + Printable.of(holder) + " does");
    }

    /** The broker finalizes a task in a moment; otherwise a processor has to. */
    private static String state(JsonObject task) {
        String state = JsonText.text(task, "state");
        boolean complete = state.equals("open") && "all_complete".equals(task.text("execution_status"));
        return complete
                ? "that was the last step: the broker, or your processor, now finalizes the task"
                : "the task is " + state;
    }

    private static String outcome(JsonObject ended) {
        String state = JsonText.text(ended, "state");
        return state.equals("retry_wait") ? "failed, will be retried" : state;
    }

    private static @Nullable Object json(@Nullable String text) {
        try {
            return text == null ? null : Json.read(text);
        } catch (NotJsonException e) {
            throw Failure.invalid("--result is not valid JSON: " + e.getMessage());
        }
    }
}
