package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.WrappedText;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows a review's discussion and history. */
public final class DiscussionCommands {
    private static final Option ROUND = Option.of("--round", "N", "Only this round.");

    public static final Command MESSAGE = Command.define(
                    "review message", "Send a message to the other side of a review; you take turns.")
            .description("""
            You speak as the reviewer if you hold the review or gave its last verdict, otherwise as the proposer. When the \
            proposer answers a request for changes, the review is pending again.
            Exit code 5: it is the other side's turn, or the review accepts no messages in its current state.""")
            .parameters(ProposerCommands.ID, Parameter.required("TEXT", "The message; - reads standard input."))
            .options(Option.of("--as", "ROLE", "proposer or reviewer."), Option.HOLDER)
            .examples("""
            holdfast review message 3f2c 'why not a map?'
            holdfast review message 3f2c 'because of the order' --as proposer""")
            .runs(DiscussionCommands::message);

    public static final Command DISCUSSION = Command.define(
                    "review discussion", "Show the messages of a review, oldest first.")
            .parameters(ProposerCommands.ID)
            .options(Option.withPages(ROUND))
            .examples("holdfast review discussion 3f2c", "holdfast review discussion 3f2c --round 2")
            .runs(DiscussionCommands::discussion);

    public static final Command TIMELINE = Command.define("review timeline", "Show a review's history, oldest first.")
            .parameters(ProposerCommands.ID)
            .options(Option.withPages())
            .examples("holdfast review timeline 3f2c")
            .runs(DiscussionCommands::timeline);

    public static final Command AUDIT = Command.define(
                    "review audit", "Show every event of one review or of all, with details.")
            .parameters(Parameter.optional("ID", "The review. Default: all."))
            .options(Option.withPages())
            .examples("holdfast review audit --limit 1000 --json", "holdfast review audit 3f2c")
            .runs(DiscussionCommands::audit);

    private DiscussionCommands() {}

    private static ExitCode message(Invocation invocation) {
        Arguments given = invocation.arguments();
        BrokerClient broker = invocation.broker();
        String id = String.valueOf(given.parameter(0));
        String text = invocation.parameter(1, "TEXT");
        Reply status = broker.call("get_review_status", Map.of("review_id", id));
        if (!status.accepted()) {
            return invocation.print(status, (_, _) -> ExitCode.DONE);
        }
        String named = given.text("--as");
        boolean holds = invocation.holder().equals(status.json().text("claimed_by"));
        String role = named == null ? (holds ? "reviewer" : "proposer") : named;
        boolean reopens = role.equals("proposer")
                && "changes_requested".equals(status.json().text("status"));
        Input input = new Input()
                .with("review_id", id)
                .with("sender_role", role)
                .with("body", text.equals("-") ? ReviewText.file(invocation, "TEXT", text) : text);
        Reply reply = broker.call("add_message", input.fields());
        ExitCode exitCode = invocation.print(reply, (_, out) -> {
            out.println("posted as " + role + (reopens ? "; the review is pending again, with the same content" : ""));
            return ExitCode.DONE;
        });
        if ("forbidden".equals(reply.json().text("code")) && !given.has("--as") && !given.has("--json")) {
            invocation
                    .shell()
                    .err()
                    .println("to write as its reviewer, claim it first: " + Program.name(invocation.shell())
                            + " review claim " + Printable.of(id));
        }
        return exitCode;
    }

    private static Input paged(Arguments given) {
        Long limit = given.number("--limit");
        return new Input()
                .with("review_id", given.parameter(0))
                .with("limit", limit == null ? 100 : limit)
                .with("cursor", given.text("--cursor"));
    }

    private static ExitCode discussion(Invocation invocation) {
        Input input = paged(invocation.arguments())
                .with("round", invocation.arguments().number("--round"));
        return invocation.ask("get_discussion", input.fields(), (reply, out) -> {
            List<JsonObject> messages = reply.json().objects("messages");
            Colours paint = Colours.of(invocation.shell());
            WrappedText prose = WrappedText.on(invocation.shell());
            messages.forEach(message -> print(message, paint, prose, out));
            if (messages.isEmpty()) {
                out.println("no messages");
            }
            invocation.moreIfCut(reply);
            return ExitCode.DONE;
        });
    }

    static void print(JsonObject message, Colours paint, WrappedText prose, PrintStream out) {
        out.println(paint.bold(JsonText.text(message, "sender_role")) + ", round " + message.number("round") + ", "
                + JsonText.time(message, "created_at"));
        prose.lines("  ", String.valueOf(message.text("body"))).forEach(out::println);
    }

    private static ExitCode timeline(Invocation invocation) {
        return invocation.ask(
                "get_review_timeline", paged(invocation.arguments()).fields(), (reply, out) -> {
                    JsonObject review = reply.json();
                    out.println(JsonText.text(review, "current_status") + ": "
                            + Printable.lines(String.valueOf(review.text("intent"))).stream()
                                    .findFirst()
                                    .orElse(""));
                    for (JsonObject event : review.objects("events")) {
                        out.println("  " + JsonText.time(event, "timestamp") + "  " + line(event));
                    }
                    invocation.moreIfCut(reply);
                    return ExitCode.DONE;
                });
    }

    private static ExitCode audit(Invocation invocation) {
        return invocation.ask("get_audit_log", paged(invocation.arguments()).fields(), (reply, out) -> {
            List<JsonObject> events = reply.json().objects("events");
            for (JsonObject event : events) {
                out.println(event.number("id") + "  " + JsonText.time(event, "created_at") + "  "
                        + JsonText.orDash(event, "review_id") + "  " + line(event)
                        + (event.get("metadata") == null
                                ? ""
                                : "  " + Printable.of(Json.write(event.get("metadata")))));
            }
            if (events.isEmpty()) {
                out.println("no events");
            }
            invocation.moreIfCut(reply);
            return ExitCode.DONE;
        });
    }

    /** The actor's name if the event has one, otherwise the recorded role. */
    private static @Nullable String who(JsonObject event) {
        @Nullable String actor = event.text("actor");
        JsonObject metadata = JsonObject.of(event.get("metadata"));
        @Nullable
        String name = "reviewer".equals(actor)
                ? metadata.text("reviewer_id")
                : "proposer".equals(actor) ? metadata.text("proposer") : null;
        return name == null ? actor : name;
    }

    /** What happened, by whom, and the resulting state of the review. */
    private static String line(JsonObject event) {
        @Nullable String actor = who(event);
        @Nullable String before = event.text("old_status");
        @Nullable String after = event.text("new_status");
        boolean changed = after != null && !after.equals(before);
        return JsonText.text(event, "event_type")
                + (actor == null ? "" : " by " + Printable.of(actor))
                + (changed ? ": " + (before == null ? "" : before + " -> ") + after : "");
    }
}
