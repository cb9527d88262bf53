package dev.holdfast.cli.event;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import java.util.List;
import java.util.Objects;

/** Shows what happened, and with {@code --follow} what happens. */
public final class EventsCommand implements Command.Action {
    /** The broker's, when none is given. */
    private static final long USUAL_LIMIT = 100;

    public static final Command DEFINITION = new Command(
            "events",
            "Show events, one per line; with --follow, as they happen.",
            """
            Each line has the event's id, time, type, resource, actor, generation and details. --follow reconnects when the \
            connection is lost and continues where it left off; stop it with Ctrl-C.""",
            List.of(),
            List.of(
                    Option.of("--after", "ID", "Only events after this one."),
                    Option.of("--resource", "RESOURCE", "Only events for this resource."),
                    Option.of("--limit", "N", "Show at most N (default 100)."),
                    Option.flag("--follow", "Keep showing events as they happen. With --json: one document per line.")),
            List.of(
                    "holdfast events",
                    "holdfast events --after 1041 --limit 20",
                    "holdfast events --resource key:deploy --json",
                    "holdfast events --follow"),
            new EventsCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        if (arguments.has("--follow")) {
            if (arguments.has("--limit")) {
                throw Failure.invalid("--limit cannot be used with --follow");
            }
            return new Following(invocation).run();
        }
        Input input = new Input()
                .with("after", arguments.number("--after"))
                .with("resource", arguments.text("--resource"))
                .with("limit", arguments.number("--limit"));
        return invocation.ask("get_events", input.fields(), (reply, out) -> {
            tell(reply, out);
            long limit = Objects.requireNonNullElse(arguments.number("--limit"), USUAL_LIMIT);
            if (reply.json().objects("events").size() >= limit) {
                invocation.more("--after " + reply.json().number("next_after"));
            }
            return ExitCode.DONE;
        });
    }

    private static void tell(Reply reply, PrintStream out) {
        List<JsonObject> events = reply.json().objects("events");
        for (JsonObject event : events) {
            out.println(line(event));
        }
        if (events.isEmpty()) {
            out.println("no events");
        }
    }

    static String line(JsonObject event) {
        StringBuilder line = new StringBuilder()
                .append(event.number("id"))
                .append("  ")
                .append(JsonText.text(event, "at"))
                .append("  ")
                .append(JsonText.text(event, "type"))
                .append("  ")
                .append(JsonText.text(event, "resource"));
        if (event.text("actor") != null) {
            line.append("  ").append(JsonText.text(event, "actor"));
        }
        if (event.number("claim_generation") != null) {
            line.append("  generation ").append(event.number("claim_generation"));
        }
        if (event.get("detail") != null) {
            line.append("  ").append(Printable.of(Json.write(event.get("detail"))));
        }
        return line.toString();
    }
}
