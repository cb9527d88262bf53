package dev.holdfast.cli;

import java.util.List;

/** Starts and ends reviewers that the broker runs itself. */
final class PoolCommands {
    private static final Parameter REVIEWER =
            Parameter.required("REVIEWER", "A reviewer of 'holdfast pool status'; codex-r1 is enough.");

    static final Command SPAWN = new Command(
            "pool spawn",
            "Start one more reviewer.",
            "Exit code 7: there are as many as may be, or the last was started a moment ago.",
            List.of(),
            List.of(
                    Option.of(
                            "--project",
                            "PROJECT",
                            "The project it is to review; it reviews what else is in that folder, too. Default: the pool's folder.")),
            List.of("holdfast pool spawn", "holdfast pool spawn --project shop"),
            PoolCommands::spawn);

    static final Command DRAIN = new Command(
            "pool drain",
            "Let a reviewer finish what it has, and end it.",
            "",
            List.of(REVIEWER),
            List.of(),
            List.of("holdfast pool drain codex-r1"),
            invocation -> end(invocation, false));

    static final Command KILL = new Command(
            "pool kill",
            "End a reviewer at once; what it has goes to others.",
            "",
            List.of(REVIEWER),
            List.of(),
            List.of("holdfast pool kill codex-r1"),
            invocation -> end(invocation, true));

    private PoolCommands() {}

    private static ExitCode spawn(Invocation invocation) {
        Input input = new Input().with("project", invocation.arguments().text("--project"));
        Reply reply = invocation.broker().call("spawn_reviewer", input.fields());
        ExitCode code = invocation.tell(reply, (made, out) -> {
            String id = ClaimText.text(made.json(), "reviewer_id");
            out.println("started " + id + ", process " + made.json().number("pid"));
            out.println("what it does: " + Program.name(invocation.shell()) + " pool logs " + id + " --follow");
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

    static void hint(Invocation invocation, String text) {
        if (!invocation.arguments().has("--json")) {
            invocation.shell().err().println("  " + text);
        }
    }

    private static ExitCode end(Invocation invocation, boolean force) {
        Input input = new Input()
                .with("reviewer_id", ReviewerName.whole(invocation.arguments().parameter(0), invocation.broker()))
                .with("force", force ? true : null);
        Reply reply = invocation.broker().call("kill_reviewer", input.fields());
        ExitCode code = invocation.tell(reply, (answer, out) -> {
            JsonObject json = answer.json();
            Number claims = json.number("remaining_claims");
            long left = claims == null ? 0 : claims.longValue();
            out.println(ClaimText.text(json, "reviewer_id")
                    + (Boolean.TRUE.equals(json.get("terminated"))
                            ? " has ended"
                            : left == 0
                                    ? " is ending"
                                    : " ends when " + (left == 1 ? "the review" : "the " + left + " reviews")
                                            + " that it has " + (left == 1 ? "is" : "are") + " done"));
            return ExitCode.DONE;
        });
        if ("not_found".equals(reply.json().text("code"))) {
            hint(invocation, "'pool status --all' shows who there is and was");
        }
        return code;
    }
}
