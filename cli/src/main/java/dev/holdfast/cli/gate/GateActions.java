package dev.holdfast.cli.gate;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.Change;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.review.ApprovalTarget;
import dev.holdfast.cli.review.ReviewText;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import java.util.Optional;

/** What to do with an unapproved change: propose it, or override the gate. */
public record GateActions(Invocation invocation, ApprovalTarget target) {
    ExitCode propose(Change change) {
        Arguments given = invocation.arguments();
        String intent = given.text("--intent");
        if (intent == null || intent.isBlank()) {
            throw Failure.invalid("--propose needs --intent TEXT: what the change is for");
        }
        Optional<String> agent = invocation.knownAgent();
        if (!given.has("--review") && !given.has("--new")) {
            target.refuseNextRound(invocation, something(change), "--review");
        }
        Input input = target.proposed(something(change))
                .with("intent", intent)
                .with("agent_type", agent.orElseGet(invocation::holder))
                .with("agent_role", "proposer")
                .with("phase", "gate")
                .with("category", "code_change")
                .with("priority", given.text("--priority"))
                .with("description", ReviewText.description(invocation, "--review"))
                .with("review_id", given.text("--review"))
                .with("holder", agent.orElse(null));
        return invocation.ask("create_review", input.fields(), this::proposed);
    }

    private ExitCode proposed(Reply reply, PrintStream out) {
        String id = Printable.of(String.valueOf(reply.json().text("review_id")));
        out.println(
                reply.json().has("existing")
                        ? "already proposed, as review " + id + ", which is "
                                + reply.json().text("status")
                        : "proposed as review " + id + ", " + reply.json().text("revision"));
        out.println(
                "wait for its verdict: " + Program.name(invocation.shell()) + " review wait " + JsonText.shortId(id));
        return ExitCode.DONE;
    }

    ExitCode override(Change change, String reason) {
        Input input = target.asked(something(change))
                .with("by", invocation.knownAgent().orElseGet(this::person))
                .with("reason", reason);
        return invocation.ask("override_approval", input.fields(), (reply, out) -> {
            out.println(
                    "overridden by " + Printable.of(String.valueOf(reply.json().text("by"))) + ": "
                            + Printable.of(String.valueOf(reply.json().text("reason"))) + "; "
                            + reply.json().text("revision") + " passes from now on");
            return ExitCode.DONE;
        });
    }

    private static Change something(Change change) {
        if (change.isNothing()) {
            throw Failure.invalid("there is nothing to approve in " + change.name()
                    + (change.name().equals(Repository.STAGED) ? "; stage something with git add" : ""));
        }
        return change;
    }

    private String person() {
        Optional<String> user =
                target.found() == null ? Optional.empty() : target.found().user();
        return user.orElseThrow(() -> Failure.invalid("who are you? Set HOLDFAST_AGENT, or git config user.name"));
    }
}
