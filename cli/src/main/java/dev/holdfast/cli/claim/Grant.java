package dev.holdfast.cli.claim;

import dev.holdfast.cli.broker.BrokerDoor;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** A claim that was granted: shown to its holder, and confirmed to the broker. */
public final class Grant {
    private Grant() {}

    /**
     * Tells the broker that the grant has arrived. Heartbeats for all of a holder's claims extend only those; what nobody was told of
     * runs out. A soft claim lives as long as the one it is under.
     */
    public static void confirm(BrokerDoor broker, JsonObject claim) {
        if (claim.text("resource") != null && !claim.has("under")) {
            confirm(broker, claim.text("resource"), claim.text("holder"), claim.number("claim_generation"));
        }
    }

    public static void confirm(
            BrokerDoor broker, @Nullable String resource, @Nullable String holder, @Nullable Number generation) {
        Input input =
                new Input().with("holder", holder).with("resource", resource).with("claim_generation", generation);
        try {
            broker.call("heartbeat", input.fields());
        } catch (Failure e) {
            // The claim stands; it only has to be named once before heartbeats without a name extend it.
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
