package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Table;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists reviews as tables. */
public final class ReviewLists {
    private static final List<String> STATUSES =
            List.of("pending", "claimed", "in_review", "approved", "changes_requested", "closed", "withdrawn");

    private static final Option STATUS = Option.of(
            "--status",
            "STATUS",
            "Only this status: pending, claimed, approved, changes_requested, closed, withdrawn.");

    private static final List<String> MIN_FIRST =
            List.of("PRIORITY", "MESSAGES", "LAST MESSAGE", "AGE", "CHANGED", "TURN", "BY", "PROJECT");

    public static final Command LIST = Command.define(
                    "review list", "List reviews that are not closed: most urgent first, then oldest.")
            .options(Option.withPages(
                    STATUS,
                    Option.PROJECT,
                    Option.EVERYWHERE,
                    Option.CATEGORY,
                    Option.ALL,
                    Option.flag("--wait", "Wait up to 25 s for a pending review; lists only pending ones.")))
            .examples("""
            holdfast review list
            holdfast review list --all
            holdfast review list --everywhere
            holdfast review list --status pending --project shop --wait""")
            .runs(ReviewLists::list);

    public static final Command FEED = Command.define(
                    "review feed", "List reviews by latest change, with their last message.")
            .options(Option.withPages(STATUS, Option.PROJECT, Option.EVERYWHERE, Option.CATEGORY))
            .examples("holdfast review feed", "holdfast review feed --project shop --limit 10")
            .runs(ReviewLists::feed);

    public static final Command STATS = Command.define(
                    "review stats", "Show review statistics: how many, how fast, how often approved.")
            .options(Option.PROJECT, Option.EVERYWHERE)
            .examples("holdfast review stats", "holdfast review stats --project shop --json")
            .runs(ReviewLists::stats);

    private ReviewLists() {}

    private static Input asked(Invocation invocation) {
        Arguments given = invocation.arguments();
        Long limit = given.number("--limit");
        return new Input()
                .with("project", invocation.scope("--project"))
                .with("category", given.text("--category"))
                .with("limit", limit == null ? 100 : limit)
                .with("cursor", given.text("--cursor"));
    }

    /** For an unknown status the broker lists nothing; a user who mistyped one should be told. */
    private static @Nullable String status(Arguments given) {
        String status = given.text("--status");
        if (status != null && !STATUSES.contains(status)) {
            throw Failure.invalid("--status must be one of " + String.join(", ", STATUSES) + ", not '" + status + "'");
        }
        return status;
    }

    private static ExitCode list(Invocation invocation) {
        Arguments given = invocation.arguments();
        boolean wait = given.has("--wait");
        if (wait && given.has("--status") && !"pending".equals(given.text("--status"))) {
            throw Failure.invalid("--wait waits for pending reviews; it cannot be used with another --status");
        }
        String status = wait ? "pending" : status(given);
        Input input = asked(invocation)
                .with("status", status)
                .with("open", (status == null && !given.has("--all")) ? true : null)
                .with("wait", wait ? true : null);
        return invocation.ask("list_reviews", input.fields(), (reply, out) -> {
            Instant now = reply.at(invocation.shell().clock().instant());
            boolean turns = reply.json().objects("reviews").stream().anyMatch(review -> review.has("attention"));
            List<String> headings = new ArrayList<>(List.of("REVIEW", "STATUS", "PRIORITY", "AGE", "PROJECT"));
            if (turns) {
                headings.add("TURN");
            }
            headings.add("INTENT");
            table(invocation, reply, out, headings, review -> {
                List<String> row = new ArrayList<>(List.of(
                        JsonText.shortId(review, "id"),
                        JsonText.text(review, "status"),
                        JsonText.text(review, "priority"),
                        JsonText.span(JsonText.instant(review, "created_at"), now),
                        JsonText.project(review, "project")));
                if (turns) {
                    row.add(ReviewText.turn(review));
                }
                row.add(firstLine(review, "intent"));
                return row;
            });
            return ExitCode.DONE;
        });
    }

    private static ExitCode feed(Invocation invocation) {
        Input input = asked(invocation).with("status", status(invocation.arguments()));
        return invocation.ask("get_activity_feed", input.fields(), (reply, out) -> {
            Instant now = reply.at(invocation.shell().clock().instant());
            List<String> headings = List.of("REVIEW", "STATUS", "CHANGED", "BY", "INTENT", "MESSAGES", "LAST MESSAGE");
            table(
                    invocation,
                    reply,
                    out,
                    headings,
                    review -> List.of(
                            JsonText.shortId(review, "id"),
                            JsonText.text(review, "status"),
                            JsonText.ago(review, "updated_at", now),
                            JsonText.orDash(review, "claimed_by"),
                            firstLine(review, "intent"),
                            String.valueOf(review.number("message_count")),
                            review.text("last_message_preview") == null
                                    ? "-"
                                    : firstLine(review, "last_message_preview")));
            return ExitCode.DONE;
        });
    }

    private interface Rows {
        List<String> of(JsonObject review);
    }

    private static void table(Invocation invocation, Reply reply, PrintStream out, List<String> headings, Rows rows) {
        List<JsonObject> reviews = reply.json().objects("reviews");
        new Table(headings, reviews.stream().map(rows::of).toList(), MIN_FIRST)
                .print(invocation.shell(), out, "no reviews");
        invocation.moreIfCut(reply);
    }

    private static String firstLine(JsonObject review, String field) {
        String text = review.text(field);
        return text == null ? "-" : Printable.lines(text).stream().findFirst().orElse("");
    }

    private static ExitCode stats(Invocation invocation) {
        Input input = new Input().with("project", invocation.scope("--project"));
        return invocation.ask("get_review_stats", input.fields(), (reply, out) -> {
            JsonObject stats = reply.json();
            Number total = stats.number("total_reviews");
            out.println(total + (total != null && total.longValue() == 1 ? " review" : " reviews"));
            numbers(out, "by status", stats.object("by_status"), "");
            numbers(out, "by category", stats.object("by_category"), "");
            out.println("approved: " + known(stats.number("approval_rate_pct"), " % of those with a verdict"));
            out.println("time to first verdict: "
                    + known(rounded(stats.number("avg_time_to_verdict_seconds")), " s on average"));
            out.println("time to end: " + known(rounded(stats.number("avg_review_duration_seconds")), " s on average"));
            numbers(out, "time in each status", stats.object("avg_time_in_state_seconds"), " s");
            return ExitCode.DONE;
        });
    }

    private static void numbers(PrintStream out, String name, JsonObject numbers, String unit) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<?, ?> entry : numbers.members().entrySet()) {
            if (entry.getValue() instanceof Number number && number.doubleValue() != 0) {
                parts.add(Printable.of(String.valueOf(entry.getKey())) + " "
                        + (unit.isEmpty() ? number : rounded(number)) + unit);
            }
        }
        out.println(name + ": " + (parts.isEmpty() ? "-" : String.join(", ", parts)));
    }

    private static @Nullable Number rounded(@Nullable Number seconds) {
        return seconds == null ? null : Math.round(seconds.doubleValue());
    }

    private static String known(@Nullable Number number, String unit) {
        return number == null ? "not known yet" : number + unit;
    }
}
