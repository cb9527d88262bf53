package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.WrappedText;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Waits until a review needs its proposer's attention. */
public final class ReviewWait implements Command.Action {
    public static final Command DEFINITION = Command.define(
                    "review wait", "Wait for the verdict on a review, or for a question.")
            .description("""
            Exit code 0: approved (or closed). 8: changes were requested. 9: the reviewer has asked a question or suggested a \
            counter-patch. 5: it was withdrawn. 7: none of these happened within --wait.""")
            .parameters(ProposerCommands.ID)
            .options(Option.of("--wait", "TIME", "Wait at most this long: 90, 45m, 5h. Default: as long as it takes."))
            .examples("holdfast review wait 3f2c", "holdfast review wait 3f2c --wait 1h && git commit -m 'Add a cache'")
            .runs(new ReviewWait());

    @Override
    public ExitCode run(Invocation invocation) {
        BrokerClient broker = invocation.broker();
        String id = invocation.parameter(0, "ID");
        Duration longest = invocation.arguments().duration("--wait");
        @Nullable
        Instant end =
                longest == null ? null : invocation.shell().clock().instant().plus(longest);
        Reply reply = broker.call(
                "get_review_status", new Input().with("review_id", id).fields());
        while (reply.accepted() && outcome(reply.json()) == null && !isOver(invocation, end)) {
            reply = broker.call(
                    "get_review_status",
                    new Input()
                            .with("review_id", id)
                            .with("wait", true)
                            .with("since", reply.json().number("version"))
                            .fields());
        }
        return invocation.print(reply, (answer, out) -> print(invocation, answer.json(), out));
    }

    private static boolean isOver(Invocation invocation, @Nullable Instant end) {
        return end != null && !invocation.shell().clock().instant().isBefore(end);
    }

    /** Null: not yet. */
    private static @Nullable ExitCode outcome(JsonObject review) {
        return switch (String.valueOf(review.text("status"))) {
            case "approved", "closed" -> ExitCode.DONE;
            case "changes_requested" -> ExitCode.NOT_APPROVED;
            case "withdrawn" -> ExitCode.NOT_CLAIMABLE;
            default -> "proposer".equals(review.object("attention").text("turn")) ? ExitCode.ASKED : null;
        };
    }

    private static ExitCode print(Invocation invocation, JsonObject review, PrintStream out) {
        ExitCode outcome = outcome(review);
        String status = Colours.of(invocation.shell()).status(JsonText.text(review, "status"));
        String id = JsonText.shortId(review, "id");
        if (outcome == null) {
            out.println(status + "; no verdict yet");
            return ExitCode.BUSY;
        }
        if (outcome == ExitCode.ASKED) {
            printQuestion(invocation, review, out);
            out.println("the reviewer is waiting for you: holdfast review show " + id);
            return outcome;
        }
        out.println(status);
        Printable.lines(Objects.requireNonNullElse(review.text("verdict_reason"), ""))
                .forEach(line -> out.println("  " + line));
        if (outcome == ExitCode.NOT_APPROVED) {
            out.println("see what to change: holdfast review show " + id);
        }
        return outcome;
    }

    /** The latest message of this round, if that is what the reviewer waits for; otherwise it is a counter-patch. */
    private static void printQuestion(Invocation invocation, JsonObject review, PrintStream out) {
        Reply discussion = invocation
                .broker()
                .call(
                        "get_discussion",
                        new Input()
                                .with("review_id", review.text("id"))
                                .with("round", review.number("current_round"))
                                .fields());
        List<JsonObject> messages = discussion.json().objects("messages");
        if (!messages.isEmpty() && "reviewer".equals(messages.getLast().text("sender_role"))) {
            DiscussionCommands.print(
                    messages.getLast(), Colours.of(invocation.shell()), WrappedText.on(invocation.shell()), out);
        }
    }
}
