package dev.holdfast.cli.work;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.claim.GrantOutput;
import dev.holdfast.cli.claim.Resource;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.git.ShellWord;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims a resource, or the next one that is ready. */
public final class ClaimCommand implements Command.Action, Invocation.Printer {
    /** A kind that matches a path by its exact name; reservations also cover what is below it. */
    private static final String PATH = "path:";

    public static final Command DEFINITION = Command.define(
                    "claim",
                    "Claim a resource, or the next one that is ready (a work item unless you name another kind).")
            .description("""
            You hold it until it expires or you release it; heartbeats extend it. Heartbeat and release \
            need the generation from the answer; on this machine it is remembered for you.
            To keep others out of files, use 'work reserve'.
            With --next the broker picks: the next work item, like 'work claim --next', or the next one of a kind such as \
            review or step. If there is none, this prints "nothing is ready" and exits with 5 (with --json: "item": null, or \
            "resource": null if you named a kind).
            Exit code 3: held by someone else, or by you already. 5: it cannot be claimed in its current state, or nothing is ready.""")
            .parameters(Parameter.optional(
                    "RESOURCE",
                    "What to claim: kind:id such as key:deploy, or the id of a work item; with --next: a kind."))
            .options(
                    Option.flag("--next", "Claim the best one that is ready."),
                    Option.HOLDER,
                    Option.TTL,
                    Option.of(
                            "--wait", "TIME", "Wait this long for it to become free (or ready). Default: do not wait."),
                    Option.of("--under", "RESOURCE@GENERATION", "Make it part of another claim that you hold."),
                    Option.REQUEST_ID,
                    Option.of("--generation", "N", "Extend the claim that you already hold at this generation."),
                    Option.repeatable("--path", "GLOB", "With a work item: reserve these files in the same step."),
                    Option.of(
                            "--queue",
                            "QUEUE",
                            "With --next: only from this queue. Default for work items: this repository's."),
                    Option.flag("--everywhere", "With --next: from every queue, not only this repository's."),
                    Option.repeatable("--label", "LABEL", "With --next: only with this label (repeatable)."),
                    Option.of("--type", "TYPE", "With --next, for work items: only this type."))
            .examples("""
            holdfast claim hf-3k9x --path src/parser
            holdfast claim key:deploy --holder alice --wait 30s --ttl 45m
            holdfast claim key:staging --under work:bd-42@7
            holdfast claim --next --queue backend --label java --wait 50s --json
            holdfast claim --next step""")
            .runs(new ClaimCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        boolean next = arguments.has("--next");
        String named = arguments.parameter(0);
        refuseWhatDoesNotFit(arguments, next, named);
        if (next && named == null) {
            return WorkerCommands.next(invocation);
        }
        if (!next && isItem(named) && !arguments.has("--under") && !arguments.has("--generation")) {
            return claimItem(invocation, invocation.parameter(0, "RESOURCE"));
        }
        if (arguments.has("--path")) {
            throw Failure.invalid("--path needs the id of a work item");
        }
        Input input = next
                ? new Input()
                        .with("kind", named)
                        .with("queue", invocation.scope("--queue"))
                        .with("labels", arguments.has("--label") ? arguments.all("--label") : null)
                : new Input()
                        .with("resource", named == null ? null : Resource.named(named))
                        .with("under", under(arguments.text("--under")))
                        .with("claim_generation", arguments.number("--generation"));
        input.with("holder", invocation.holder())
                .withSeconds("ttl_seconds", arguments.duration("--ttl"))
                .with("request_id", arguments.text("--request-id"));
        BrokerClient broker = invocation.broker();
        Reply reply = invocation.wait(broker, next ? "claim_next" : "claim", input);
        ExitCode exitCode = WorkerCommands.print(invocation, broker, reply, this);
        if (reply.accepted() && named != null && named.startsWith(PATH) && !arguments.has("--json")) {
            invocation
                    .shell()
                    .err()
                    .println(
                            "holdfast: this claim does not stop others from reserving the file; to do that: holdfast work reserve "
                                    + ShellWord.of(named.substring(PATH.length())));
        }
        if (reply.accepted() && !invocation.shell().out().checkError()) {
            GrantOutput.confirm(broker, reply.json());
        }
        return exitCode;
    }

    private static ExitCode claimItem(Invocation invocation, String named) {
        ExitCode exitCode = WorkerCommands.claim(invocation, named);
        if (exitCode == ExitCode.NOT_FOUND && !invocation.arguments().has("--json")) {
            invocation
                    .shell()
                    .err()
                    .println("holdfast: to claim a key of that name: holdfast claim key:" + ShellWord.of(named));
        }
        return exitCode;
    }

    private static void refuseWhatDoesNotFit(Arguments arguments, boolean next, @Nullable String named) {
        if (!next && named == null) {
            throw Failure.invalid("claim needs a RESOURCE such as key:deploy, the id of a work item, or --next");
        }
        if (next && !isItem(named)) {
            throw Failure.invalid("claim takes " + named + " or --next, not both");
        }
        for (String option :
                next ? List.of("--under", "--generation") : List.of("--queue", "--everywhere", "--label", "--type")) {
            if (arguments.has(option)) {
                throw Failure.invalid(option + (next ? " needs a RESOURCE, not --next" : " needs --next"));
            }
        }
        if (next && named != null && arguments.has("--type")) {
            throw Failure.invalid("--type only applies to work items; leave out " + named);
        }
    }

    private static boolean isItem(@Nullable String named) {
        return named == null || Resource.isItem(named);
    }

    private static @Nullable Map<String, Object> under(@Nullable String text) {
        if (text == null) {
            return null;
        }
        // the last one: ids may contain @
        int at = text.lastIndexOf('@');
        try {
            return Map.of(
                    "resource", text.substring(0, at), "claim_generation", Long.parseLong(text.substring(at + 1)));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw Failure.invalid("--under needs RESOURCE@GENERATION such as work:bd-42@7, not '" + text + "'");
        }
    }

    @Override
    public ExitCode print(Reply reply, PrintStream out) {
        if (reply.json().text("resource") == null) {
            out.println("nothing is ready");
            return ExitCode.NOT_CLAIMABLE;
        }
        GrantOutput.print(reply.json(), out);
        return ExitCode.DONE;
    }
}
