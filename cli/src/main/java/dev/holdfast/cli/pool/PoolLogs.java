package dev.holdfast.cli.pool;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows a pool reviewer's output and what happened to it. */
public final class PoolLogs {
    /** How many records one call returns by default. */
    private static final int USUAL = 100;

    /** How long one call waits for more output. */
    private static final long WAIT_SECONDS = 25;

    public static final Command DEFINITION = Command.define(
                    "pool logs", "Show a reviewer's output and events; with --follow, as they happen.")
            .description("--follow ends when the reviewer does, or on Ctrl-C.")
            .parameters(Parameter.optional("REVIEWER", "As in 'holdfast pool status'. Default: the one started last."))
            .options(
                    Option.of("--after", "N", "Only records after this one."),
                    Option.of("--limit", "N", "Show at most N (default 100)."),
                    Option.flag("--follow", "Keep showing records as they arrive. With --json: one answer per line."))
            .examples("""
            holdfast pool logs --follow
            holdfast pool logs codex-r1 --follow
            holdfast pool logs codex-r1-0a1b2c3d --after 120 --limit 20""")
            .runs(PoolLogs::run);

    private PoolLogs() {}

    private static ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        boolean follow = arguments.has("--follow");
        if (follow && arguments.has("--limit")) {
            throw Failure.invalid("--limit cannot be used with --follow");
        }
        Long after = arguments.number("--after");
        long known = after == null ? 0 : after;
        BrokerClient broker = invocation.broker();
        String reviewer = ReviewerName.whole(arguments.parameter(0), broker);
        if (reviewer == null) {
            throw Failure.invalid("no reviewer has been started yet; see 'holdfast pool status'");
        }
        while (true) {
            Input input = new Input()
                    .with("reviewer_id", reviewer)
                    .with("after", known)
                    .with("limit", arguments.number("--limit"))
                    .with("wait_seconds", follow ? WAIT_SECONDS : null);
            Reply reply = PoolCommands.there(broker.call("get_reviewer_log", input.fields()));
            ExitCode result = invocation.print(reply, (answer, out) -> {
                answer.json().objects("records").forEach(record -> out.println(line(record)));
                return ExitCode.DONE;
            });
            List<JsonObject> records = reply.json().objects("records");
            if (!follow && result == ExitCode.DONE) {
                more(invocation, reviewer, after, records, reply.json());
            }
            for (JsonObject record : records) {
                Number number = record.number("n");
                known = number == null ? known : Math.max(known, number.longValue());
            }
            boolean ended = Boolean.TRUE.equals(reply.json().get("ended"));
            if (!follow
                    || result != ExitCode.DONE
                    || ended
                    || invocation.shell().out().checkError()) {
                return result;
            }
        }
    }

    /** Says what is missing: everything, or what follows this many. */
    private static void more(
            Invocation invocation, String reviewer, @Nullable Long after, List<JsonObject> records, JsonObject reply) {
        Long limit = invocation.arguments().number("--limit");
        if (records.isEmpty() && after == null) {
            PoolCommands.hint(
                    invocation,
                    Boolean.TRUE.equals(reply.get("ended"))
                            ? reviewer + " has stopped, and its log is no longer kept"
                            : reviewer + " has printed nothing yet");
        } else if (records.size() == (limit == null ? USUAL : limit)) {
            PoolCommands.hint(
                    invocation,
                    "there may be more: --after " + records.getLast().number("n") + ", or --follow");
        }
    }

    /** Sets the pool's own lines off from the reviewer's output, and marks its stderr. */
    private static String line(JsonObject record) {
        String message = record.text("message") == null ? "" : JsonText.text(record, "message");
        String event = String.valueOf(record.text("event"));
        return record.number("n") + "  " + JsonText.text(record, "ts") + "  "
                + switch (event) {
                    case "reviewer_output" -> ("stderr".equals(record.text("stream")) ? "! " : "") + message;
                    case "reviewer_spawned" -> "-- started, process " + record.get("pid");
                    case "reviewer_spawn_failed" -> "-- could not be started: " + message;
                    case "reviewer_process_exited" ->
                        "-- its process ended, exit code " + JsonText.text(record, "exit_code");
                    case "reviewer_terminated" -> "-- stopped: " + JsonText.text(record, "reason");
                    default -> "-- " + Printable.of(event);
                };
    }
}
