package dev.holdfast.cli.claim;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Printable;
import java.util.List;

/** Gives a claim back. */
public final class ReleaseCommand implements Command.Action {
    public static final Command DEFINITION = new Command(
            "release",
            "Release a claim, so that others can take it.",
            """
            Exit code 6: someone else has taken it; nothing was changed. An expired claim that nobody has taken counts as released: 0.""",
            List.of(Parameter.required("RESOURCE", "The claimed resource, as kind:id, or the id of a work item.")),
            List.of(
                    Option.of(
                            "--generation",
                            "N",
                            "The claim's generation. Default: that of your claim, if you claimed it here."),
                    Option.HOLDER,
                    Option.of("--note", "TEXT", "A note for the next holder."),
                    Option.flag(
                            "--failed", "You tried and could not do it; after three failures a work item is parked."),
                    Option.flag(
                            "--keep-status", "Keep its current status instead of restoring the one before the claim.")),
            List.of(
                    "holdfast release key:deploy --generation 3",
                    "holdfast release hf-3k9x --generation 3 --failed --note \"no access\"",
                    "holdfast release path:src/Main.java --generation 8 --note \"tests still fail\""),
            new ReleaseCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String resource = Resource.named(invocation.parameter(0, "RESOURCE"));
        String holder = invocation.holder();
        if (!arguments.has("--generation") && invocation.broker().generation(holder, resource) == null) {
            throw Failure.invalid("release " + Resource.unknown(resource, holder));
        }
        Input input = new Input()
                .with("resource", resource)
                .with("holder", holder)
                .with("claim_generation", arguments.number("--generation"))
                .with("note", arguments.text("--note"))
                .with("failed", arguments.has("--failed") ? true : null)
                .with("keep_status", arguments.has("--keep-status") ? true : null);
        return invocation.ask("release", input.fields(), (reply, out) -> {
            out.println(outcome(reply.json(), Printable.of(resource)));
            return ExitCode.DONE;
        });
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
