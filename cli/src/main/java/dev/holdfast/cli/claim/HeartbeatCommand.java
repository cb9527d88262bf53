package dev.holdfast.cli.claim;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import java.io.PrintStream;
import java.util.List;

/** Renews one claim, or all of a holder's. */
public final class HeartbeatCommand implements Command.Action, Invocation.Printer {
    public static final Command DEFINITION = Command.define(
                    "heartbeat", "Show that you are still working: extend one claim, or all that you hold.")
            .description("""
            Without RESOURCE, all claims of the holder are extended, and lost claims are reported.
            Exit code 6: a claim is lost. Stop working on it; the others were extended.""")
            .parameters(Parameter.optional(
                    "RESOURCE", "The claimed resource, as kind:id, or the id of a work item. Default: all."))
            .options(Option.GENERATION, Option.HOLDER)
            .examples("""
            holdfast heartbeat
            holdfast heartbeat --holder alice --json
            holdfast heartbeat key:deploy --generation 3""")
            .runs(new HeartbeatCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String named = arguments.parameter(0);
        boolean known =
                named != null && invocation.broker().generation(invocation.holder(), Resource.named(named)) != null;
        if (named != null && !arguments.has("--generation") && !known) {
            String resource = Resource.named(named);
            throw CurrentClaim.of(invocation.broker(), resource)
                    .map(standing -> standing.notKnownHere("heartbeat", invocation.holder()))
                    .orElseGet(() -> Failure.lost("nobody holds " + resource + "; claim it first"));
        }
        if (named == null && arguments.has("--generation")) {
            throw Failure.invalid("heartbeat needs RESOURCE together with --generation N, or neither");
        }
        Input input = new Input()
                .with("holder", invocation.holder())
                .with("resource", named == null ? null : Resource.named(named))
                .with("claim_generation", arguments.number("--generation"));
        return CurrentClaim.print(invocation, invocation.broker().call("heartbeat", input.fields()), this);
    }

    @Override
    public ExitCode print(Reply reply, PrintStream out) {
        JsonObject answer = reply.json();
        if (answer.has("resource")) {
            out.println("extended " + ClaimText.of(answer));
            return ExitCode.DONE;
        }
        List<JsonObject> extended = answer.objects("extended");
        List<JsonObject> lost = answer.objects("lost");
        for (JsonObject claim : extended) {
            out.println("extended " + ClaimText.of(claim));
        }
        for (JsonObject claim : answer.objects("unconfirmed")) {
            out.println("not extended " + ClaimText.of(claim) + ": to extend it, name it in the heartbeat");
        }
        for (JsonObject claim : lost) {
            out.println("LOST " + JsonText.text(claim, "resource") + ", generation " + claim.number("claim_generation")
                    + ": stop working on it");
        }
        if (extended.isEmpty()
                && lost.isEmpty()
                && answer.objects("unconfirmed").isEmpty()) {
            out.println("you hold nothing");
        }
        return lost.isEmpty() ? ExitCode.DONE : ExitCode.LOST;
    }
}
