package dev.holdfast.cli.claim;

import dev.holdfast.cli.broker.BrokerClient;
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
import dev.holdfast.cli.terminal.Printable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Releases a claim. */
public final class ReleaseCommand implements Command.Action {
    public static final Command DEFINITION = Command.define("release", "Release a claim so others can take it.")
            .description("""
            Exit code 6: someone else has taken it; nothing was changed. An expired claim that nobody has taken counts as released: 0.""")
            .parameters(Parameter.required("RESOURCE", "The claimed resource, as kind:id, or the id of a work item."))
            .options(
                    Option.GENERATION,
                    Option.HOLDER,
                    Option.of("--note", "TEXT", "A note for the next holder."),
                    Option.flag(
                            "--failed", "You tried and could not do it; after three failures a work item is parked."),
                    Option.flag(
                            "--keep-status", "Keep its current status instead of restoring the one before the claim."))
            .examples("""
            holdfast release key:deploy --generation 3
            holdfast release hf-3k9x --generation 3 --failed --note "no access"
            holdfast release key:staging --generation 8 --note "tests still fail\"""")
            .runs(new ReleaseCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String resource = Resource.named(invocation.parameter(0, "RESOURCE"));
        String holder = invocation.holder();
        if (!arguments.has("--generation") && invocation.broker().generation(holder, resource) == null) {
            return notKnownHere(invocation, resource, holder);
        }
        Input input = new Input()
                .with("resource", resource)
                .with("holder", holder)
                .with("claim_generation", arguments.number("--generation"))
                .with("note", arguments.text("--note"))
                .with("failed", arguments.has("--failed") ? true : null)
                .with("keep_status", arguments.has("--keep-status") ? true : null);
        return CurrentClaim.print(invocation, invocation.broker().call("release", input.fields()), (reply, out) -> {
            out.println(outcome(reply.json(), Printable.of(resource)));
            return ExitCode.DONE;
        });
    }

    /** Releasing what nobody holds counts as a repeat, which succeeds. */
    private static ExitCode notKnownHere(Invocation invocation, String resource, String holder) {
        BrokerClient broker = invocation.broker();
        Optional<CurrentClaim> standing = CurrentClaim.of(broker, resource);
        if (standing.isPresent()) {
            throw standing.get().notKnownHere("release", holder);
        }
        if (Resource.isFile(resource)) {
            throw Failure.invalid(
                    "there is no work item " + resource.substring("work:".length())
                            + "; reserved files are released by the name of their reservation, reservation:ID, which 'who' shows");
        }
        if (resource.startsWith("work:")) {
            Reply item = broker.call("get_work", Map.of("id", resource.substring("work:".length())));
            if (!item.accepted()) {
                return invocation.print(item, (_, _) -> ExitCode.DONE);
            }
        }
        for (String option : List.of("--failed", "--note", "--keep-status")) {
            if (invocation.arguments().has(option)) {
                throw Failure.invalid("nobody holds " + resource + "; " + option + " needs a claim of yours");
            }
        }
        if (invocation.arguments().has("--json")) {
            invocation.printDocument("{\"released\":true,\"already\":true}");
        } else {
            invocation.shell().out().println("nothing to release: nobody holds " + Printable.of(resource));
        }
        return ExitCode.DONE;
    }

    private static String outcome(JsonObject released, String resource) {
        if (released.has("replayed")) {
            return "you had released it already";
        }
        if (released.has("already")) {
            return "already released: nobody holds it";
        }
        return "released " + resource + (released.has("parked") ? ", and parked: it failed too often" : "");
    }
}
