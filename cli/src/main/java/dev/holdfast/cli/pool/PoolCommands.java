package dev.holdfast.cli.pool;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;

/** Starts and ends the pool's reviewers. */
public final class PoolCommands {
    private static final Parameter REVIEWER = Parameter.required(
            "REVIEWER", "A reviewer from 'holdfast pool status'; a short name such as codex-r1 is enough.");

    private static final Option REASON = Option.of("--reason", "TEXT", "Why, for the audit log.");

    public static final Command SPAWN = Command.define("pool spawn", "Start one more reviewer.")
            .description("Exit code 7: the pool is full, or the last reviewer was started too recently.")
            .options(
                    Option.of(
                            "--project",
                            "PROJECT",
                            "The project to review; it also reviews everything else in that folder. Default: the pool's folder."))
            .examples("holdfast pool spawn", "holdfast pool spawn --project shop")
            .runs(PoolCommands::spawn);

    public static final Command DRAIN = Command.define("pool drain", "Let a reviewer finish its reviews, then stop it.")
            .parameters(REVIEWER)
            .options(REASON, Option.HOLDER)
            .examples("holdfast pool drain codex-r1")
            .runs(invocation -> end(invocation, false));

    public static final Command KILL = Command.define("pool kill", "Stop a reviewer at once; its reviews go to others.")
            .parameters(REVIEWER)
            .options(REASON, Option.HOLDER)
            .examples(
                    "holdfast pool kill codex-r1", "holdfast pool kill codex-r1 --reason 'it reviews the wrong branch'")
            .runs(invocation -> end(invocation, true));

    private PoolCommands() {}

    private static ExitCode spawn(Invocation invocation) {
        Input input = new Input().with("project", invocation.arguments().text("--project"));
        Reply reply = there(invocation.broker().call("spawn_reviewer", input.fields()));
        ExitCode code = invocation.print(reply, (made, out) -> {
            String id = JsonText.text(made.json(), "reviewer_id");
            out.println("started " + id + ", process " + made.json().number("pid"));
            out.println("follow it: " + Program.name(invocation.shell()) + " pool logs " + id + " --follow");
            return ExitCode.DONE;
        });
        if (reply.json().number("max_pool_size") != null) {
            hint(
                    invocation,
                    "reviewer_pool.max_pool_size is " + reply.json().number("max_pool_size")
                            + "; 'pool drain' makes room");
        } else if (reply.json().number("retry_after_seconds") != null) {
            hint(
                    invocation,
                    "try again in " + reply.json().number("retry_after_seconds")
                            + " s (reviewer_pool.spawn_cooldown_seconds)");
        }
        return code;
    }

    /**
     * The reply of a broker that has a pool. For one without, fails with a readable message instead of naming config
     * sections.
     */
    static Reply there(Reply reply) {
        if ("bad_state".equals(reply.json().text("code"))) {
            throw Failure.refused(reply, "pool", RefusalWording::of);
        }
        return reply;
    }

    static void hint(Invocation invocation, String text) {
        if (!invocation.arguments().has("--json")) {
            invocation.shell().err().println("  " + text);
        }
    }

    private static ExitCode end(Invocation invocation, boolean force) {
        Input input = new Input()
                .with("reviewer_id", ReviewerName.whole(invocation.arguments().parameter(0), invocation.broker()))
                .with("force", force ? true : null)
                .with("by", invocation.holder())
                .with("reason", invocation.arguments().text("--reason"));
        Reply reply = there(invocation.broker().call("kill_reviewer", input.fields()));
        ExitCode code = invocation.print(reply, (answer, out) -> {
            JsonObject json = answer.json();
            Number claims = json.number("remaining_claims");
            long left = claims == null ? 0 : claims.longValue();
            out.println(JsonText.text(json, "reviewer_id")
                    + (Boolean.TRUE.equals(json.get("terminated"))
                            ? " stopped"
                            : left == 0
                                    ? " is stopping"
                                    : " stops when its " + (left == 1 ? "review is" : left + " reviews are")
                                            + " done"));
            return ExitCode.DONE;
        });
        if ("not_found".equals(reply.json().text("code"))) {
            hint(invocation, "'pool status --all' lists current and past reviewers");
        }
        return code;
    }
}
