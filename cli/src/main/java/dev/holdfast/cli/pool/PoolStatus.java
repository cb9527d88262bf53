package dev.holdfast.cli.pool;

import dev.holdfast.cli.broker.CurrentRepository;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.cli.terminal.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows the pool's reviewers, what they did, and what holds the pool back. */
public final class PoolStatus {
    private static final List<String> HEADINGS = List.of(
            "REVIEWER",
            "STATUS",
            "HAS",
            "DONE",
            "APPROVED",
            "AVERAGE",
            "AGE",
            "LAST ACTIVE",
            "PROJECT",
            "FOLDER",
            "PID",
            "BECAUSE",
            "BROKER");

    public static final Command DEFINITION = Command.define(
                    "pool status", "Show the broker's reviewers, what they did, and what is holding the pool back.")
            .options(Option.flag("--all", "Include reviewers that have stopped."))
            .examples("holdfast pool status", "holdfast pool status --all --json")
            .runs(PoolStatus::run);

    /** Columns that a narrow terminal can do without. */
    private static final List<String> MIN_FIRST = List.of(
            "PID", "BROKER", "AVERAGE", "APPROVED", "FOLDER", "PROJECT", "LAST ACTIVE", "BECAUSE", "HAS", "AGE");

    private PoolStatus() {}

    private static ExitCode run(Invocation invocation) {
        Shell shell = invocation.shell();
        boolean all = invocation.arguments().has("--all");
        Reply answer = invocation.broker().call("list_reviewers", Map.of());
        if (!answer.accepted()) {
            throw Failure.refused(
                    answer,
                    "pool",
                    text -> RefusalWording.of(text)
                            + unused(shell)
                                    .map(file -> ". " + file
                                            + " has a reviewer_pool that this broker does not use: trust it ('holdfast trust') and"
                                            + " start the broker here ('holdfast stop', 'holdfast serve')")
                                    .orElse(""));
        }
        return invocation.print(answer, (reply, out) -> {
            Instant now = reply.at(shell.clock().instant());
            JsonObject json = reply.json();
            List<JsonObject> reviewers = json.objects("reviewers");
            List<JsonObject> there = reviewers.stream()
                    .filter(one -> one.text("terminated_at") == null)
                    .toList();
            int ended = reviewers.size() - there.size();
            out.println(standing(json, reviewers));
            out.println(number(json, "reviews_in_an_hour", "review", "reviews") + " taken in the last hour, "
                    + number(json, "spawns_in_a_day", "reviewer", "reviewers") + " started in the last day");
            String heldBack = json.text("held_back");
            if (heldBack != null) {
                out.println("not starting more for now: " + Printable.of(heldBack));
                lastOutput(json, out);
            }
            List<JsonObject> shown = all ? reviewers : there;
            if (!shown.isEmpty()) {
                out.println();
                table(shown, now).lines("", shell.width().getAsInt()).forEach(out::println);
            }
            if (!all && ended > 0) {
                out.println();
                out.println(ended + (ended == 1 ? " has" : " have") + " stopped: " + Program.name(shell)
                        + " pool status --all");
            }
            return ExitCode.DONE;
        });
    }

    private static String standing(JsonObject json, List<JsonObject> reviewers) {
        long active = with(reviewers, "active");
        long draining = with(reviewers, "draining");
        Number pending = json.number("pending_reviews");
        boolean nothing = pending == null || pending.longValue() == 0;
        return active + " active" + (draining == 0 ? "" : ", " + draining + " draining") + "; "
                + (nothing
                        ? "nothing is pending" + (active == 0 ? "; the next proposal starts one" : "")
                        : number(json, "pending_reviews", "review", "reviews") + " pending");
    }

    private static long with(List<JsonObject> reviewers, String status) {
        return reviewers.stream()
                .filter(one -> status.equals(one.text("status")))
                .count();
    }

    private static String number(JsonObject json, String field, String one, String many) {
        Number number = json.number(field);
        return number + " " + (number != null && number.longValue() == 1 ? one : many);
    }

    /** Scope and reason to end are shown only if some reviewer has one, the broker only if there are several. */
    private static Table table(List<JsonObject> reviewers, Instant now) {
        List<List<String>> rows = reviewers.stream().map(one -> row(one, now)).toList();
        List<Integer> columns = IntStream.range(0, HEADINGS.size())
                .filter(column -> tells(HEADINGS.get(column), rows, column))
                .boxed()
                .toList();
        return new Table(
                picked(HEADINGS, columns),
                rows.stream().map(row -> picked(row, columns)).toList(),
                MIN_FIRST);
    }

    private static boolean tells(String heading, List<List<String>> rows, int column) {
        List<String> different =
                rows.stream().map(row -> row.get(column)).distinct().toList();
        return switch (heading) {
            case "BECAUSE", "PROJECT", "FOLDER" -> !different.equals(List.of("-"));
            case "BROKER" -> different.size() > 1;
            default -> true;
        };
    }

    private static List<String> picked(List<String> all, List<Integer> columns) {
        return columns.stream().map(all::get).toList();
    }

    /** A file with pool settings in this folder or repository: its author may wonder why there is no pool. */
    private static Optional<Path> unused(Shell shell) {
        return Stream.concat(
                        Stream.of(shell.folder()),
                        CurrentRepository.of(shell).map(here -> here.tree().root()).stream())
                .map(folder -> folder.resolve(".holdfast").resolve("config.json"))
                .filter(PoolStatus::hasPool)
                .findFirst();
    }

    private static boolean hasPool(Path file) {
        try {
            return Files.readString(file).contains("\"reviewer_pool\"");
        } catch (IOException none) {
            return false;
        }
    }

    private static void lastOutput(JsonObject json, PrintStream out) {
        Number crashes = json.number("crashes_in_a_row");
        List<JsonObject> said = json.objects("reviewers").stream()
                .filter(reviewer -> reviewer.text("last_output") != null)
                .toList();
        if (crashes != null && crashes.longValue() > 0 && !said.isEmpty()) {
            out.println("the last output of " + JsonText.text(said.getLast(), "id") + ":");
            String.valueOf(said.getLast().text("last_output"))
                    .lines()
                    .forEach(line -> out.println("  " + Printable.of(line)));
        }
    }

    private static List<String> row(JsonObject reviewer, Instant now) {
        return List.of(
                JsonText.text(reviewer, "id"),
                JsonText.text(reviewer, "status"),
                orDash(reviewer.number("holding")),
                orDash(reviewer.number("reviews_completed")),
                percent(reviewer.number("approval_rate_pct")),
                seconds(reviewer.number("average_review_seconds")),
                JsonText.span(JsonText.instant(reviewer, "spawned_at"), now),
                JsonText.span(JsonText.instant(reviewer, "last_active_at"), now) + " ago",
                JsonText.project(reviewer, "project_scope"),
                orDash(reviewer.text("folder_scope")),
                orDash(reviewer.number("pid")),
                because(reviewer),
                orDash(reviewer.text("broker")));
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
}
