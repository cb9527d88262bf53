package dev.holdfast.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks after the reviewers that the broker runs itself. */
final class PoolCommands {
    private static final Parameter REVIEWER =
            Parameter.required("REVIEWER", "A reviewer of 'holdfast pool status'; codex-r1 is enough.");

    private static final List<String> HEADINGS = List.of(
            "REVIEWER", "STATUS", "PID", "AGE", "ACTIVE", "REVIEWS", "APPROVED", "AVERAGE", "PROJECT", "BECAUSE");

    /** How long one call waits for more output. */
    private static final long WAIT_SECONDS = 25;

    static final Command STATUS = new Command(
            "pool status",
            "Show the reviewers that the broker runs, what they did, and what holds the pool back.",
            "",
            List.of(),
            List.of(Option.flag("--all", "Those that have ended, too.")),
            List.of("holdfast pool status", "holdfast pool status --all --json"),
            PoolCommands::status);

    static final Command LOGS = new Command(
            "pool logs",
            "Show what a reviewer said and what became of it; with --follow, as it happens.",
            "--follow ends with the reviewer, or with Ctrl-C.",
            List.of(Parameter.optional("REVIEWER", "As in 'holdfast pool status'. Default: the one started last.")),
            List.of(
                    Option.of("--after", "N", "Only records after this one."),
                    Option.of("--limit", "N", "At most so many. Default: 100."),
                    Option.flag("--follow", "Go on as the reviewer does. With --json: one answer per line.")),
            List.of(
                    "holdfast pool logs --follow",
                    "holdfast pool logs codex-r1 --follow",
                    "holdfast pool logs codex-r1-0a1b2c3d --after 120 --limit 20"),
            PoolCommands::logs);

    static final Command SPAWN = new Command(
            "pool spawn",
            "Start one more reviewer.",
            "Exit code 7: there are as many as may be, or the last was started a moment ago.",
            List.of(),
            List.of(Option.of("--project", "PROJECT", "The only project it is to review. Default: any.")),
            List.of("holdfast pool spawn", "holdfast pool spawn --project shop"),
            PoolCommands::spawn);

    static final Command DRAIN = new Command(
            "pool drain",
            "Let a reviewer finish what it has, and end it.",
            "",
            List.of(REVIEWER),
            List.of(),
            List.of("holdfast pool drain codex-r1"),
            invocation -> end(invocation, false));

    static final Command KILL = new Command(
            "pool kill",
            "End a reviewer at once; what it has goes to others.",
            "",
            List.of(REVIEWER),
            List.of(),
            List.of("holdfast pool kill codex-r1"),
            invocation -> end(invocation, true));

    private PoolCommands() {}

    private static ExitCode status(Invocation invocation) {
        Shell shell = invocation.shell();
        boolean all = invocation.arguments().has("--all");
        return invocation.ask("list_reviewers", Map.of(), (reply, out) -> {
            Instant now = reply.at(shell.clock().instant());
            JsonObject json = reply.json();
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject reviewer : json.objects("reviewers")) {
                if (all || reviewer.text("terminated_at") == null) {
                    rows.add(row(reviewer, now));
                }
            }
            out.println(json.number("pool_size") + " active; reviews: " + json.number("pending_reviews") + " pending, "
                    + json.number("reviews_in_an_hour") + " taken in the last hour; started in the last day: "
                    + json.number("spawns_in_a_day"));
            String heldBack = json.text("held_back");
            if (heldBack != null) {
                out.println("no more are started for now: " + Printable.of(heldBack));
                lastOutput(json, out);
            }
            if (!rows.isEmpty()) {
                new Table(HEADINGS, rows).lines("", shell.width().getAsInt()).forEach(out::println);
            }
            return ExitCode.DONE;
        });
    }

    /** What the last one said that ended without a review is mostly why. */
    private static void lastOutput(JsonObject json, PrintStream out) {
        Number crashes = json.number("crashes_in_a_row");
        List<JsonObject> said = json.objects("reviewers").stream()
                .filter(reviewer -> reviewer.text("last_output") != null)
                .toList();
        if (crashes != null && crashes.longValue() > 0 && !said.isEmpty()) {
            out.println("the last output of " + ClaimText.text(said.getLast(), "id") + ":");
            String.valueOf(said.getLast().text("last_output"))
                    .lines()
                    .forEach(line -> out.println("  " + Printable.of(line)));
        }
    }

    private static List<String> row(JsonObject reviewer, Instant now) {
        return List.of(
                ClaimText.text(reviewer, "id"),
                ClaimText.text(reviewer, "status"),
                orDash(reviewer.number("pid")),
                ClaimText.span(ClaimText.instant(reviewer, "spawned_at"), now),
                ClaimText.span(ClaimText.instant(reviewer, "last_active_at"), now) + " ago",
                orDash(reviewer.number("reviews_completed")),
                percent(reviewer.number("approval_rate_pct")),
                seconds(reviewer.number("average_review_seconds")),
                orDash(reviewer.text("project_scope")),
                because(reviewer));
    }

    private static String because(JsonObject reviewer) {
        String ended = reviewer.text("end_reason");
        return orDash(ended == null ? reviewer.text("drain_reason") : ended);
    }

    private static String percent(@Nullable Number number) {
        return number == null ? "-" : number + " %";
    }

    private static String seconds(@Nullable Number number) {
        return number == null ? "-" : number + " s";
    }

    private static String orDash(@Nullable Object value) {
        return value == null ? "-" : Printable.of(value.toString());
    }

    private static ExitCode spawn(Invocation invocation) {
        Input input = new Input().with("project", invocation.arguments().text("--project"));
        return invocation.ask("spawn_reviewer", input.fields(), (reply, out) -> {
            out.println("started " + ClaimText.text(reply.json(), "reviewer_id") + ", process "
                    + reply.json().number("pid"));
            return ExitCode.DONE;
        });
    }

    private static ExitCode end(Invocation invocation, boolean force) {
        Input input = new Input()
                .with("reviewer_id", ReviewerName.whole(invocation.arguments().parameter(0), invocation.broker()))
                .with("force", force ? true : null);
        return invocation.ask("kill_reviewer", input.fields(), (reply, out) -> {
            Number claims = reply.json().number("remaining_claims");
            boolean busy = claims != null && claims.longValue() > 0;
            out.println(
                    Boolean.TRUE.equals(reply.json().get("terminated"))
                            ? "ended"
                            : busy ? "it ends when its " + claims + " reviews are done" : "it is ending");
            return ExitCode.DONE;
        });
    }

    private static ExitCode logs(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        boolean follow = arguments.has("--follow");
        if (follow && arguments.has("--limit")) {
            throw Failure.invalid("--limit does not go with --follow");
        }
        Long after = arguments.number("--after");
        long known = after == null ? 0 : after;
        BrokerDoor broker = invocation.broker();
        String reviewer = ReviewerName.whole(arguments.parameter(0), broker);
        if (reviewer == null) {
            throw Failure.invalid("no reviewer was started so far; 'holdfast pool status' tells more");
        }
        while (true) {
            Input input = new Input()
                    .with("reviewer_id", reviewer)
                    .with("after", known)
                    .with("limit", arguments.number("--limit"))
                    .with("wait_seconds", follow ? WAIT_SECONDS : null);
            Reply reply = broker.call("get_reviewer_log", input.fields());
            ExitCode told = invocation.tell(reply, (answer, out) -> {
                answer.json().objects("records").forEach(record -> out.println(line(record)));
                return ExitCode.DONE;
            });
            List<JsonObject> records = reply.json().objects("records");
            for (JsonObject record : records) {
                Number number = record.number("n");
                known = number == null ? known : Math.max(known, number.longValue());
            }
            boolean ended = Boolean.TRUE.equals(reply.json().get("ended"));
            if (!follow
                    || told != ExitCode.DONE
                    || ended
                    || invocation.shell().out().checkError()) {
                return told;
            }
        }
    }

    private static String line(JsonObject record) {
        StringBuilder line = new StringBuilder()
                .append(record.number("n"))
                .append("  ")
                .append(ClaimText.text(record, "ts"))
                .append("  ");
        if (record.text("message") == null) {
            line.append(ClaimText.text(record, "event"));
            for (String more : List.of("pid", "exit_code", "reason")) {
                if (record.get(more) != null) {
                    line.append("  ").append(more).append(' ').append(record.get(more));
                }
            }
        } else {
            line.append(ClaimText.text(record, "message"));
        }
        return line.toString();
    }
}
