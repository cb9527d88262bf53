package dev.holdfast.cli.gate;

import dev.holdfast.cli.broker.BrokerDoor;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.Change;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.review.Target;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

/** The ways on for a change that is not approved: hand it in for review, or let it pass by hand. */
public record Proposing(Invocation invocation, Target target) {
    ExitCode propose(Change change) {
        Arguments given = invocation.arguments();
        String intent = given.text("--intent");
        if (intent == null || intent.isBlank()) {
            throw Failure.invalid("--propose needs --intent TEXT: what the change is for");
        }
        Optional<String> agent = invocation.knownAgent();
        if (!given.has("--review") && !given.has("--new")) {
            refuseNextRound(something(change), agent.orElseGet(invocation::holder));
        }
        Input input = target.proposed(something(change))
                .with("intent", intent)
                .with("agent_type", agent.orElseGet(invocation::holder))
                .with("agent_role", "proposer")
                .with("phase", "gate")
                .with("category", "code_change")
                .with("priority", given.text("--priority"))
                .with("description", given.text("--description"))
                .with("review_id", given.text("--review"))
                .with("holder", agent.orElse(null));
        return invocation.ask("create_review", input.fields(), this::proposed);
    }

    /** What looks like the next round of the proposer's own review would be reviewed twice, and the first one never end. */
    private void refuseNextRound(Change change, String me) {
        BrokerDoor broker = invocation.broker();
        Reply checked = broker.call("check_approval", target.asked(change).fields());
        String id = checked.json().text("review_id");
        if (id == null
                || !"other_content".equals(checked.json().text("why"))
                || !"changes_requested".equals(checked.json().text("status"))) {
            return;
        }
        Reply review = broker.call("get_review_status", Map.of("review_id", id));
        if (me.equals(review.json().object("proposer").text("agent"))
                || me.equals(review.json().text("agent_type"))) {
            String named = JsonText.shortId(Printable.of(id));
            throw Failure.invalid("your review " + named + " asks for changes to these files; add --review " + named
                    + " to submit its next round, or --new to start a review of its own");
        }
    }

    private ExitCode proposed(Reply reply, PrintStream out) {
        String id = Printable.of(String.valueOf(reply.json().text("review_id")));
        out.println(
                reply.json().has("existing")
                        ? "proposed before, as review " + id + ", which is "
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
