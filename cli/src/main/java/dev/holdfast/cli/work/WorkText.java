package dev.holdfast.cli.work;

import dev.holdfast.cli.broker.CurrentRepository;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Table;
import dev.holdfast.cli.terminal.WrappedText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats work items for people. */
final class WorkText {
    private static final List<String> HEADINGS = List.of("ID", "P", "STATUS", "TYPE", "TITLE", "HOLDER", "WAITS FOR");

    private WorkText() {}

    static ExitCode list(Invocation invocation, Reply reply, PrintStream out, String none) {
        List<JsonObject> items = reply.json().objects("items");
        boolean several =
                items.stream().map(item -> item.text("queue")).distinct().count() > 1;
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject item : items) {
            List<String> row = new ArrayList<>(row(item));
            if (several) {
                row.add(JsonText.text(item, "queue"));
            }
            rows.add(row);
        }
        List<String> headings = new ArrayList<>(HEADINGS);
        if (several) {
            headings.add("QUEUE");
        }
        new Table(headings, rows, List.of("TYPE", "P", "WAITS FOR", "HOLDER", "QUEUE"))
                .print(invocation.shell(), out, none);
        invocation.moreIfCut(reply);
        return ExitCode.DONE;
    }

    private static List<String> row(JsonObject item) {
        return List.of(
                JsonText.text(item, "id"),
                String.valueOf(item.number("priority")),
                JsonText.text(item, "status") + (item.has("parked") ? " (parked)" : ""),
                JsonText.text(item, "type"),
                JsonText.text(item, "title"),
                orDash(item.text("holder")),
                orDash(waitsFor(item)));
    }

    /** A reason, other items, or a time; null: nothing. */
    private static @Nullable String waitsFor(JsonObject item) {
        String reason = item.text("blocked_reason");
        String others = texts(item, "blocked_by");
        if (reason != null || !others.isEmpty()) {
            return reason == null ? others : reason;
        }
        return until(item, "someone to reopen it");
    }

    /** When a deferred item may start, or what that requires; null: it is not deferred. */
    private static @Nullable String until(JsonObject item, String otherwise) {
        if (!"deferred".equals(item.text("status"))) {
            return null;
        }
        return item.has("defer_until") ? JsonText.time(item, "defer_until") : otherwise;
    }

    /** Anybody can choose a folder's name; in another user's repository, tells which queue that name led to. */
    static void warnOfStranger(Invocation invocation, String queue) {
        if (!invocation.arguments().has("--json")) {
            CurrentRepository.untrusted(invocation.shell())
                    .ifPresent(why -> invocation
                            .shell()
                            .err()
                            .println("holdfast: this is in the queue '" + Printable.of(queue)
                                    + "', named after the folder: " + Printable.of(why)));
        }
    }

    static void item(JsonObject item, WrappedText prose, PrintStream out) {
        String name = JsonText.text(item, "id") + "  ";
        hanging(out, prose, name, JsonText.text(item, "title"));
        String until = until(item, "someone reopens it");
        line(
                out,
                "status",
                JsonText.text(item, "status")
                        + (until == null ? "" : " until " + until)
                        + (item.has("parked") ? ", parked" : ""));
        line(out, "priority", String.valueOf(item.number("priority")));
        line(out, "type", item.text("type"));
        line(out, "queue", empty(item.text("queue")));
        line(out, "labels", empty(texts(item, "labels")));
        line(out, "part of", item.text("parent"));
        line(out, "assignee", item.text("assignee"));
        line(out, "elsewhere", item.text("external_ref"));
        line(out, "waits for", empty(texts(item, "blocked_by")));
        prose(out, prose, "blocked", item.text("blocked_reason"));
        JsonObject claim = item.object("claim");
        if (claim.has("holder")) {
            line(
                    out,
                    "held by",
                    claim.text("holder") + ", generation " + claim.number("claim_generation") + ", until "
                            + JsonText.time(claim, "expires_at"));
        }
        Number attempts = item.number("attempts");
        line(out, "failed", attempts == null || attempts.intValue() == 0 ? null : times(attempts.intValue()));
        prose(out, prose, "note", item.text("note"));
        line(out, "closed", moment(item, "closed_at"));
        line(out, "closed by", item.text("closed_by"));
        prose(out, prose, "because", item.text("close_reason"));
        String description = item.text("description");
        if (description != null) {
            out.println();
            prose.lines("  ", description).forEach(out::println);
        }
    }

    private static String times(int failed) {
        return failed == 1 ? "once" : failed + " times in a row";
    }

    private static void prose(PrintStream out, WrappedText prose, String name, @Nullable String value) {
        if (value != null) {
            hanging(out, prose, "  " + name + " ".repeat(Math.max(1, 12 - name.length())), value);
        }
    }

    /** Continuation lines are aligned with the first. */
    private static void hanging(PrintStream out, WrappedText prose, String name, String value) {
        String indent = " ".repeat(name.length());
        List<String> lines = prose.lines(indent, value);
        out.println(name + (lines.isEmpty() ? "" : lines.getFirst().substring(indent.length())));
        lines.stream().skip(1).forEach(out::println);
    }

    private static void line(PrintStream out, String name, @Nullable String value) {
        if (value != null) {
            out.println("  " + name + " ".repeat(Math.max(1, 12 - name.length())) + Printable.of(value));
        }
    }

    private static @Nullable String moment(JsonObject item, String field) {
        return item.has(field) ? JsonText.time(item, field) : null;
    }

    private static String texts(JsonObject item, String name) {
        return item.get(name) instanceof List<?> texts
                ? texts.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : "";
    }

    private static @Nullable String empty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static String orDash(@Nullable String text) {
        return text == null ? "-" : text;
    }
}
