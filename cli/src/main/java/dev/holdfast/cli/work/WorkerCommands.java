package dev.holdfast.cli.work;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.claim.CurrentClaim;
import dev.holdfast.cli.claim.GrantOutput;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Claims and closes work items. */
public final class WorkerCommands {

    public static final Command CLAIM = Command.define(
                    "work claim", "Claim a work item, or the next one that is ready.")
            .description("""
            You hold it until it expires, or you close or release it; heartbeats extend it. Heartbeat, update, close and \
            release need the generation from the answer; on this machine it is remembered for you.
            With --next the broker picks the item; if there is none, this prints "nothing is ready" and exits with 5 (with \
            --json: "item": null).
            Exit code 3: held by someone else, or by you already. 4: no such item. 5: it is blocked, deferred or closed, you have reached your \
            limit, or nothing is ready. Do not start work on an item whose claim was refused.""")
            .parameters(Parameter.optional("ID", "The item."))
            .options(
                    Option.flag("--next", "Claim the best one that is ready, instead of ID."),
                    Option.HOLDER,
                    Option.TTL,
                    Option.of("--wait", "TIME", "Wait this long for it. Default: do not wait."),
                    Option.repeatable(
                            "--path", "GLOB", "Reserve these files in the same step, or get neither (repeatable)."),
                    Option.REQUEST_ID,
                    WorkLists.QUEUE,
                    Option.EVERYWHERE,
                    WorkLists.LABEL,
                    WorkLists.TYPE)
            .examples("""
            holdfast work claim hf-3k9x --path src/parser
            holdfast work claim --next --queue shop --label java --wait 50s --json""")
            .runs(WorkerCommands::claim);

    public static final Command CLOSE = Command.define(
                    "work close", "Close a finished work item, and optionally claim the next one.")
            .description("""
            Only its holder can close an item that is held. With --next, the next item is claimed in the same step.
            Exit code 6: the claim is lost; nothing was changed.""")
            .parameters(Parameter.required("ID", "The item."))
            .options(
                    Option.GENERATION,
                    Option.HOLDER,
                    Option.of("--reason", "TEXT", "How it ended."),
                    Option.flag("--next", "Claim the next one that is ready."),
                    Option.TTL,
                    WorkLists.QUEUE,
                    Option.EVERYWHERE,
                    WorkLists.LABEL,
                    WorkLists.TYPE)
            .examples("""
            holdfast work close hf-3k9x --generation 3 --reason merged
            holdfast work close hf-3k9x --generation 3 --next --queue shop""")
            .runs(WorkerCommands::close);

    private WorkerCommands() {}

    private static ExitCode claim(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        boolean next = arguments.has("--next");
        if (next == (arguments.parameter(0) != null)) {
            throw Failure.invalid("work claim needs either an ID or --next");
        }
        if (!next) {
            return claim(invocation, invocation.parameter(0, "ID"));
        }
        return next(invocation);
    }

    /** Claims the best item that is ready; also for {@code claim --next}. */
    static ExitCode next(Invocation invocation) {
        if (invocation.arguments().has("--path")) {
            throw Failure.invalid("--path needs an ID, not --next; reserve paths once you know the item");
        }
        Input input = WorkLists.filter(invocation, granting(invocation));
        return claim(invocation, invocation.broker(), "claim_next_work", input);
    }

    /** Claims the item with this id; also for {@code claim ID}. */
    static ExitCode claim(Invocation invocation, String id) {
        Arguments arguments = invocation.arguments();
        Input input = granting(invocation)
                .with("id", id)
                .with("paths", arguments.has("--path") ? TypedPath.all(invocation, arguments.all("--path")) : null);
        return claim(invocation, invocation.broker(), "claim_work", input);
    }

    private static Input granting(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        return new Input()
                .with("holder", invocation.holder())
                .withSeconds("ttl_seconds", arguments.duration("--ttl"))
                .with("request_id", arguments.text("--request-id"));
    }

    private static ExitCode claim(Invocation invocation, BrokerClient broker, String verb, Input input) {
        Reply reply = invocation.wait(broker, verb, input);
        ExitCode exitCode = print(invocation, broker, reply, (answer, out) -> {
            ExitCode granted = grant(answer.json(), out);
            List<String> paths =
                    TypedPath.all(invocation, invocation.arguments().all("--path"));
            if (!paths.isEmpty()) {
                out.println("  reserved " + Printable.of(String.join(", ", paths)) + ", until you close or release it");
            }
            return granted;
        });
        confirm(invocation, broker, reply, reply.json());
        return exitCode;
    }

    /** Prints like the invocation; but if somebody else holds the item, says who, and what to do. */
    static ExitCode print(Invocation invocation, BrokerClient broker, Reply reply, Invocation.Printer printer) {
        Optional<String> held = invocation.arguments().has("--json") || reply.accepted()
                ? Optional.empty()
                : CurrentClaim.own(broker, reply, invocation.holder())
                        .or(() -> CurrentClaim.unshown(broker, reply, invocation.holder()))
                        .or(() -> CurrentClaim.mistyped(invocation, reply));
        if (held.isEmpty()) {
            return invocation.print(reply, printer);
        }
        invocation.shell().err().println("holdfast: " + Program.called(invocation.shell(), held.get()));
        return reply.exitCode();
    }

    private static void confirm(Invocation invocation, BrokerClient broker, Reply reply, JsonObject grant) {
        if (reply.accepted() && grant.has("claim") && !invocation.shell().out().checkError()) {
            GrantOutput.confirm(broker, grant.object("claim"));
        }
    }

    private static ExitCode grant(JsonObject grant, PrintStream out) {
        if (!grant.has("claim")) {
            out.println("nothing is ready");
            return ExitCode.NOT_CLAIMABLE;
        }
        GrantOutput.print(grant.object("claim"), out);
        out.println("  " + JsonText.text(grant.object("item"), "title"));
        return ExitCode.DONE;
    }

    private static ExitCode close(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = new Input()
                .with("id", invocation.parameter(0, "ID"))
                .with("holder", invocation.holder())
                .with("claim_generation", arguments.number("--generation"))
                .with("reason", arguments.text("--reason"))
                .with("next", wanted(invocation));
        BrokerClient broker = invocation.broker();
        Reply reply = broker.call("close_work", input.fields());
        ExitCode exitCode = print(invocation, broker, reply, (answer, out) -> {
            out.println("closed");
            if (answer.json().has("next")) {
                grant(answer.json().object("next"), out);
            }
            return ExitCode.DONE;
        });
        confirm(invocation, broker, reply, reply.json().object("next"));
        return exitCode;
    }

    private static @Nullable Map<String, @Nullable Object> wanted(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        if (!arguments.has("--next")) {
            for (String option : List.of("--queue", "--everywhere", "--label", "--type", "--ttl")) {
                if (arguments.has(option)) {
                    throw Failure.invalid(option + " needs --next");
                }
            }
            return null;
        }
        Input input = WorkLists.filter(invocation, new Input()).withSeconds("ttl_seconds", arguments.duration("--ttl"));
        return new LinkedHashMap<>(input.fields());
    }
}
