package dev.holdfast.cli.claim;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Prints a granted claim for its holder, and confirms it to the broker. */
public final class GrantOutput {
    private GrantOutput() {}

    /**
     * Tells the broker that the grant has arrived. Heartbeats for all of a holder's claims renew only confirmed ones;
     * unconfirmed ones expire. A soft claim lives as long as the outer one.
     */
    public static void confirm(BrokerClient broker, JsonObject claim) {
        if (claim.text("resource") != null && !claim.has("under")) {
            confirm(broker, claim.text("resource"), claim.text("holder"), claim.number("claim_generation"));
        }
    }

    public static void confirm(
            BrokerClient broker, @Nullable String resource, @Nullable String holder, @Nullable Number generation) {
        Input input =
                new Input().with("holder", holder).with("resource", resource).with("claim_generation", generation);
        try {
            broker.call("heartbeat", input.fields());
        } catch (Failure e) {
            // the claim stands; it just has to be named once before heartbeats for all claims renew it
        }
    }

    public static void print(JsonObject claim, PrintStream out) {
        out.println((claim.has("already_held") ? "you hold " : "claimed ") + ClaimText.of(claim));
        String displaced = claim.object("displaced").text("holder");
        if (displaced != null) {
            out.println("  taken over from " + Printable.of(displaced) + ", whose lease had expired");
        }
        String note = claim.text("note");
        if (note != null) {
            out.println("  note from the previous holder: " + String.join("\n    ", Printable.lines(note)));
        }
    }
}
