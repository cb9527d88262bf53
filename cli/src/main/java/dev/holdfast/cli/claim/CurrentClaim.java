package dev.holdfast.cli.claim;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The current claim on a resource. */
public record CurrentClaim(
        String resource, String holder, @Nullable Number generation, String until) {
    /** The fewest characters by which an id can be abbreviated. */
    private static final int SHORTEST = 4;

    /** Empty: nobody holds it, or the broker does not say. */
    public static Optional<CurrentClaim> of(BrokerClient broker, String resource) {
        int colon = resource.indexOf(':');
        String cursor = null;
        do {
            Reply reply = broker.call(
                    "who",
                    new Input()
                            .with("kind", resource.substring(0, Math.max(0, colon)))
                            .with("cursor", cursor)
                            .fields());
            if (!reply.accepted()) {
                return Optional.empty();
            }
            for (JsonObject holder : reply.json().objects("holders")) {
                for (JsonObject claim : holder.objects("claims")) {
                    String held = String.valueOf(claim.text("resource"));
                    boolean meant = held.equals(resource)
                            || (held.startsWith(resource) && resource.length() - colon > SHORTEST);
                    if (meant) {
                        return Optional.of(new CurrentClaim(
                                held,
                                String.valueOf(holder.text("holder")),
                                claim.number("claim_generation"),
                                JsonText.time(claim, "expires_at")));
                    }
                }
            }
            cursor = reply.json().text("next_cursor");
        } while (cursor != null);
        return Optional.empty();
    }

    private String freedByAnAdmin() {
        return ". A person (with tokens: an admin) can take it back on the dashboard, or with: holdfast call take_back resource="
                + Printable.of(resource) + " claim_generation=" + generation + " by=NAME reason=WHY";
    }

    /** Why this command needs the claim's generation. */
    Failure notKnownHere(String command, String me) {
        return holder.equals(me)
                ? Failure.invalid(command + " needs --generation " + generation + ": " + resource
                        + " was not claimed here by " + me + ", but elsewhere")
                : Failure.lost("you do not hold " + resource + "; " + Printable.of(holder) + " does"
                        + (command.equals("release") ? freedByAnAdmin() : ""));
    }

    /**
     * The message for a change to a held item without the claim's generation; empty: it was refused for another reason.
     */
    public static Optional<String> unshown(BrokerClient broker, Reply refused, String me) {
        if (!"fence_missing".equals(refused.json().text("code"))) {
            return Optional.empty();
        }
        return of(broker, String.valueOf(refused.json().text("resource"))).map(standing -> {
            if (standing.holder.equals(me)) {
                return "you hold " + Printable.of(standing.resource) + ", but did not claim it here; add --generation "
                        + standing.generation;
            }
            String name = Printable.of(standing.holder);
            return name + " holds " + Printable.of(standing.resource) + "; only " + name + " can change it";
        });
    }

    /** The message for a holder that typed a wrong generation; empty: it was refused for another reason. */
    public static Optional<String> mistyped(Invocation invocation, Reply refused) {
        Number typed = invocation.arguments().number("--generation");
        if (typed == null
                || !List.of("lost", "stale")
                        .contains(String.valueOf(refused.json().text("code")))) {
            return Optional.empty();
        }
        return of(invocation.broker(), String.valueOf(refused.json().text("resource")))
                .filter(standing -> standing.holder.equals(invocation.holder()) && standing.generation != null)
                .map(standing -> "--generation " + typed + " is wrong: you hold " + Printable.of(standing.resource)
                        + " at generation " + standing.generation + ". Nothing was changed");
    }

    /** Prints an answer as the invocation does, but reports a mistyped generation as such. */
    static ExitCode print(Invocation invocation, Reply reply, Invocation.Printer printer) {
        Optional<String> wrong = reply.accepted() || invocation.arguments().has("--json")
                ? Optional.empty()
                : mistyped(invocation, reply);
        if (wrong.isEmpty()) {
            return invocation.print(reply, printer);
        }
        invocation.shell().err().println("holdfast: " + wrong.get());
        return reply.exitCode();
    }

    /** The message for claiming what one already holds; empty: somebody else holds it. */
    public static Optional<String> own(BrokerClient broker, Reply refused, String me) {
        if (!"held".equals(refused.json().text("code"))
                || !me.equals(refused.json().text("holder"))) {
            return Optional.empty();
        }
        String resource = JsonText.text(refused.json(), "resource");
        Optional<Number> standing = of(broker, resource).map(CurrentClaim::generation);
        String generation =
                standing.map(number -> "generation " + number + ", ").orElse("");
        boolean known = broker.generation(me, resource) != null;
        String typed =
                known ? "" : standing.map(number -> " --generation " + number).orElse("");
        return Optional.of("you hold " + resource + " already (" + generation + "until "
                + JsonText.time(refused.json(), "expires_at") + "); 'holdfast heartbeat " + resource + typed
                + "' extends it");
    }
}
