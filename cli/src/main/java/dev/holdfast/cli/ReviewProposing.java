package dev.holdfast.cli;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What proposers type. */
final class ReviewProposing {
    static final Parameter ID = Parameter.required("ID", "The review, as 'review list' shows it.");

    static final Command CREATE = new Command(
            "review create",
            "Propose a change for review, or hand in the next round of one.",
            """
            The change is a diff, or just words: with neither --diff nor anything else it is --description that is reviewed. \
            A diff must apply to the project's files, or be in them already.""",
            List.of(Parameter.required("INTENT", "What the change is for, in a sentence.")),
            List.of(
                    Option.of("--diff", "FILE", "The change, a unified diff; - for standard input."),
                    Option.of("--description", "TEXT", "What a reviewer should know."),
                    Option.of("--project", "PROJECT", "The project. Spelling, case and path do not matter."),
                    Option.of("--category", "CATEGORY", "Such as code_change, plan_review, verification, handoff."),
                    Option.of("--phase", "PHASE", "The phase of the work. Default: manual."),
                    Option.of("--round-of", "ID", "The next round of this review, after changes were requested."),
                    Option.flag("--skip-check", "The diff need not apply to the project's files."),
                    ClaimCommand.HOLDER),
            List.of(
                    "holdfast review create 'Add a cache' --diff change.diff --project shop",
                    "git diff | holdfast review create 'Add a cache' --diff - --project shop",
                    "holdfast review create 'Plan of phase 7' --description \"$(cat PLAN.md)\"",
                    "holdfast review create 'Add a cache, with a test' --diff - --round-of 3f2c"),
            ReviewProposing::create);

    static final Command CLOSE = new Command(
            "review close",
            "Close an approved review once the change is in.",
            "Exit code 5: it is not approved.",
            List.of(ID),
            List.of(),
            List.of("holdfast review close 3f2c"),
            invocation -> ended(invocation, "close_review", new Input().with("closer_role", "proposer")));

    static final Command WITHDRAW = new Command(
            "review withdraw",
            "Take back a review that is not needed any more; its reviewer is freed.",
            "",
            List.of(ID),
            List.of(Option.of("--reason", "TEXT", "Why. Needed.")),
            List.of("holdfast review withdraw 3f2c --reason 'done otherwise'"),
            ReviewProposing::withdraw);

    static final Command ACCEPT = new Command(
            "review accept",
            "Take the reviewer's counter-patch as the new content of your review.",
            "It then needs a verdict of its own. Exit code 5: there is none, or the review is settled.",
            List.of(ID),
            List.of(),
            List.of("holdfast review accept 3f2c"),
            invocation -> decided(invocation, "accept_counter_patch", "accepted; it needs a verdict of its own"));

    static final Command REJECT = new Command(
            "review reject",
            "Turn the reviewer's counter-patch down; your own content stays.",
            "",
            List.of(ID),
            List.of(),
            List.of("holdfast review reject 3f2c"),
            invocation -> decided(invocation, "reject_counter_patch", "rejected"));

    private ReviewProposing() {}

    private static ExitCode create(Invocation invocation) {
        Arguments given = invocation.arguments();
        String diff = ReviewText.file(invocation, "--diff");
        if (diff != null && diff.isBlank()) {
            throw Failure.invalid("--diff " + given.text("--diff") + " is empty: there is nothing to review in it");
        }
        String description = given.text("--description");
        if (diff == null && description == null) {
            throw Failure.invalid("what is to be reviewed? Give --diff FILE, or --description TEXT");
        }
        Input input = new Input()
                .with("intent", given.parameter(0))
                .with("agent_type", proposer(invocation))
                .with("agent_role", "proposer")
                .with("phase", Objects.requireNonNullElse(given.text("--phase"), "manual"))
                .with("project", given.text("--project"))
                .with("category", given.text("--category"))
                .with("description", description)
                .with("diff", diff)
                .with("review_id", given.text("--round-of"))
                .with("skip_diff_validation", given.has("--skip-check") ? true : null);
        return invocation.ask("create_review", input.fields(), (reply, out) -> {
            JsonObject json = reply.json();
            out.println("review " + ClaimText.text(json, "review_id") + ", round " + json.number("round") + ", "
                    + ClaimText.text(json, "revision"));
            return ExitCode.DONE;
        });
    }

    /** Proposing needs no name; it helps others to know whose it is. */
    private static String proposer(Invocation invocation) {
        @Nullable String holder = invocation.arguments().text("--holder");
        @Nullable String agent = holder == null ? invocation.shell().variable("HOLDFAST_AGENT") : holder;
        return agent == null ? "person" : agent;
    }

    private static ExitCode withdraw(Invocation invocation) {
        String reason = invocation.arguments().text("--reason");
        if (reason == null) {
            throw Failure.invalid("review withdraw needs --reason TEXT: why it is not needed any more");
        }
        return ended(invocation, "withdraw_review", new Input().with("reason", reason));
    }

    private static ExitCode ended(Invocation invocation, String verb, Input input) {
        input.with("review_id", invocation.arguments().parameter(0));
        return invocation.ask(verb, input.fields(), (reply, out) -> {
            out.println(ClaimText.text(reply.json(), "status"));
            return ExitCode.DONE;
        });
    }

    private static ExitCode decided(Invocation invocation, String verb, String text) {
        Input input = new Input().with("review_id", invocation.arguments().parameter(0));
        return invocation.ask(verb, input.fields(), (_, out) -> {
            out.println("counter-patch " + text);
            return ExitCode.DONE;
        });
    }
}
