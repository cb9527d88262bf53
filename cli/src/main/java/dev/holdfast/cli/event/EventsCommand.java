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
import org.jspecify.annotations.Nullable;

/** Shows past events and, with {@code --follow}, new ones. */
public final class EventsCommand implements Command.Action {
    private static final long USUAL_LIMIT = 20;

    public static final Command DEFINITION = Command.define(
                    "events", "Show the latest events, newest first; with --follow, as they happen.")
            .description("""
            Each line has the event's id, time, type, resource, actor, generation and details. With --after: newer events \
            than that one, oldest first. --follow shows the last -n events, then new ones as they happen; it reconnects when the \
            connection is lost and continues where it left off; stop it with Ctrl-C.""")
            .options(
                    Option.of("-n", "N", "Show at most N (default 20; with --follow: 0)."),
                    Option.of("--after", "ID", "Only events after this one, oldest first."),
                    Option.of("--before", "ID", "Only events before this one."),
                    Option.of("--resource", "RESOURCE", "Only events for this resource, as kind:id."),
                    Option.of("--limit", "N", "The same as -n."),
                    Option.flag("--follow", "Keep showing events as they happen. With --json: one document per line."))
            .examples("""
            holdfast events
            holdfast events -n 100
            holdfast events --after 1041 -n 20
            holdfast events --resource key:deploy --json
            holdfast events --follow -n 5""")
            .runs(new EventsCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        if (arguments.has("--limit") && arguments.has("-n")) {
            throw Failure.invalid("-n and --limit are the same; use one of them");
        }
        for (String option : List.of("--before", "--limit")) {
            if (arguments.has("--follow") && arguments.has(option)) {
                throw Failure.invalid(option + " cannot be used with --follow");
            }
        }
        if (arguments.has("--after")
                && (arguments.has("--before") || (arguments.has("--follow") && arguments.has("-n")))) {
            throw Failure.invalid("--after shows all that came later; leave out --before and -n");
        }
        String resource = resource(arguments);
        if (arguments.has("--follow")) {
            return follow(invocation, resource);
        }
        Long few = arguments.number("-n");
        if (few != null && few < 1) {
            throw Failure.invalid("-n must be at least 1, not " + few);
        }
        long limit = Objects.requireNonNullElseGet(
                arguments.number("-n"), () -> Objects.requireNonNullElse(arguments.number("--limit"), USUAL_LIMIT));
        boolean newest = !arguments.has("--after");
        Input input = new Input()
                .with("after", arguments.number("--after"))
                .with("newest_first", newest ? true : null)
                .with("before", arguments.number("--before"))
                .with("resource", resource)
                .with("limit", limit);
        return invocation.ask("get_events", input.fields(), (reply, out) -> {
            print(reply.json().objects("events"), invocation.shell().width().getAsInt(), out);
            JsonObject answer = reply.json();
            if (answer.has("next_before")) {
                invocation.more("--before " + answer.number("next_before"));
            } else if (!newest && answer.objects("events").size() >= limit) {
                invocation.more("--after " + answer.number("next_after"));
            }
            return ExitCode.DONE;
        });
    }

    private static @Nullable String resource(Arguments arguments) {
        String resource = arguments.text("--resource");
        if (resource != null && resource.indexOf(':') <= 0) {
            throw Failure.invalid("--resource must be kind:id, such as work:" + resource + " or key:" + resource);
        }
        return resource;
    }

    /** If asked for, prints the last few first, in order, so that new ones follow below. */
    private static ExitCode follow(Invocation invocation, @Nullable String resource) {
        Long last = invocation.arguments().number("-n");
        if (last == null) {
            return new EventFollower(invocation, invocation.arguments().number("--after")).run();
        }
        Input input = new Input()
                .with("newest_first", true)
                .with("resource", resource)
                .with("limit", last);
        Reply reply = invocation.broker().call("get_events", input.fields());
        if (!reply.accepted()) {
            return invocation.print(reply, (_, _) -> ExitCode.DONE);
        }
        for (JsonObject event : reply.json().objects("events").reversed()) {
            if (invocation.arguments().has("--json")) {
                invocation.printDocument(Json.write(event.members()));
            } else {
                invocation
                        .shell()
                        .out()
                        .println(line(event, invocation.shell().width().getAsInt()));
            }
        }
        Number newest = reply.json().number("next_after");
        Long after = newest == null || newest.longValue() == 0 ? null : newest.longValue();
        return new EventFollower(invocation, after).run();
    }

    private static void print(List<JsonObject> events, int width, PrintStream out) {
        for (JsonObject event : events) {
            out.println(line(event, width));
        }
        if (events.isEmpty()) {
            out.println("no events");
        }
    }

    /** @param width the terminal's width, to which the line is cut; 0: a pipe, which gets everything */
    static String line(JsonObject event, int width) {
        StringBuilder line = new StringBuilder()
                .append(event.number("id"))
                .append("  ")
                .append(JsonText.time(event, "at"))
                .append("  ")
                .append(JsonText.text(event, "type"))
                .append("  ")
                .append(width > 0 ? JsonText.resource(event) : JsonText.text(event, "resource"));
        if (event.text("actor") != null) {
            line.append("  ").append(JsonText.text(event, "actor"));
        }
        if (event.number("claim_generation") != null) {
            line.append("  generation ").append(event.number("claim_generation"));
        }
        if (event.get("detail") != null) {
            line.append("  ").append(Printable.of(Json.write(event.get("detail"))));
        }
        return width > 0 ? Printable.shortened(line.toString(), width) : line.toString();
    }
}
