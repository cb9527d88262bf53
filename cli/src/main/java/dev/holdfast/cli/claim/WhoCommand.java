package dev.holdfast.cli.claim;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.cli.terminal.Table;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows who holds what. */
public final class WhoCommand implements Command.Action {
    private static final List<String> HEADINGS =
            List.of("RESOURCE", "TITLE", "GENERATION", "AGE", "LAST SEEN", "EXPIRES IN", "ATTEMPTS");

    private static final List<String> MIN_FIRST = List.of("ATTEMPTS", "LAST SEEN", "AGE", "GENERATION");

    public static final Command DEFINITION = Command.define("who", "Show who holds what, since when and until when.")
            .description("Grouped by holder. Times are by the broker's clock.")
            .options(Option.withPages(
                    Option.of("--kind", "KIND", "Only resources of this kind: path, key, work, ..."),
                    Option.of("--holder", "NAME", "Only this agent's claims."),
                    Option.of("--queue", "QUEUE", "Only resources of this queue.")))
            .examples("holdfast who", "holdfast who --holder alice", "holdfast who --kind path --json")
            .runs(new WhoCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = new Input()
                .with("kind", arguments.text("--kind"))
                .with("holder", arguments.text("--holder"))
                .with("queue", arguments.text("--queue"))
                .with("limit", arguments.number("--limit"))
                .with("cursor", arguments.text("--cursor"));
        Shell shell = invocation.shell();
        return invocation.ask("who", input.fields(), (reply, out) -> {
            print(reply, reply.at(shell.clock().instant()), shell.width().getAsInt(), out);
            invocation.moreIfCut(reply);
            return ExitCode.DONE;
        });
    }

    private static void print(Reply reply, Instant now, int width, PrintStream out) {
        List<JsonObject> holders = reply.json().objects("holders");
        if (holders.isEmpty()) {
            String message = reply.json().text("message");
            out.println(message == null ? "nobody holds anything" : Printable.of(message));
        }
        List<List<String>> all = holders.stream()
                .flatMap(holder -> holder.objects("claims").stream())
                .map(claim -> row(claim, now))
                .toList();
        // one table, so that all holders have the same columns
        List<String> lines = new Table(HEADINGS, all, MIN_FIRST).lines("  ", width);
        int next = 1;
        for (JsonObject holder : holders) {
            out.println(heading(holder, now));
            out.println(lines.getFirst());
            int claims = holder.objects("claims").size();
            lines.subList(next, next + claims).forEach(out::println);
            next += claims;
        }
        List<JsonObject> unheld = reply.json().objects("unheld");
        if (!unheld.isEmpty()) {
            out.println("in progress but held by nobody (" + unheld.size() + "; claim one by its id)");
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject item : unheld) {
                rows.add(List.of(JsonText.resource(item), title(item)));
            }
            new Table(HEADINGS.subList(0, 2), rows).lines("  ", width).forEach(out::println);
        }
    }

    private static String heading(JsonObject holder, Instant now) {
        List<String> about = new ArrayList<>();
        int count = holder.objects("claims").size();
        about.add(count == 1 ? "1 claim" : count + " claims");
        add(about, "host ", holder.text("host"));
        add(about, "branch ", holder.text("branch"));
        Instant seen = JsonText.instant(holder, "last_seen_at");
        if (seen != null) {
            about.add("last seen " + JsonText.span(seen, now) + " ago");
        }
        String name = JsonText.text(holder, "holder");
        return about.isEmpty() ? name : name + " (" + String.join(", ", about) + ")";
    }

    private static void add(List<String> about, String label, @Nullable String value) {
        if (value != null) {
            about.add(label + Printable.of(value));
        }
    }

    /** A work item's title after its priority, a review's intent, or a reservation's paths. */
    private static String title(JsonObject thing) {
        if (thing.get("paths") instanceof List<?> paths) {
            String queue = thing.text("queue");
            return paths.stream().map(String::valueOf).collect(Collectors.joining(" "))
                    + (queue == null ? "" : " in " + queue);
        }
        if (!thing.has("title")) {
            return "-";
        }
        String priority = thing.has("priority") ? "[" + thing.number("priority") + "] " : "";
        return priority + JsonText.text(thing, "title");
    }

    private static List<String> row(JsonObject claim, Instant now) {
        Instant expires = JsonText.instant(claim, "expires_at");
        boolean expired = expires != null && expires.isBefore(now);
        return List.of(
                JsonText.resource(claim),
                title(claim),
                String.valueOf(claim.number("claim_generation")),
                JsonText.span(JsonText.instant(claim, "claimed_at"), now),
                JsonText.span(JsonText.instant(claim, "last_beat_at"), now),
                expired ? "expired" : JsonText.span(now, expires),
                String.valueOf(claim.number("attempts")));
    }
}
