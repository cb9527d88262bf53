package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.CurrentRepository;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.KnownCaller;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.terminal.Columns;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows where you are, who you are, what you hold and what is waiting for you. */
public final class StatusCommand implements Command.Action {
    private static final int MAX_SHOWN = 10;

    private static final String BY_TOKEN = " (the name of your token; HOLDFAST_AGENT may name one below it)";

    public static final Command DEFINITION = Command.define(
                    "status", "Show the broker, this repository, who you are, what you hold and what waits for you.")
            .description("""
            What waits for you: reviews of yours that need an answer, reviews to judge, work that is ready, and work in progress that \
            nobody holds.
            Outside a repository, or in a bare one, it covers every repository.
            Exit code 7: no broker answers.""")
            .options(Option.HOLDER)
            .examples("holdfast status", "holdfast status --json")
            .runs(new StatusCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        BrokerClient broker = invocation.broker();
        Optional<ServedBroker> served = ServedBroker.at(
                        invocation.shell(), broker.http().address())
                .filter(each -> each.process().isPresent()); // otherwise another broker answers
        Optional<String> named = Optional.ofNullable(invocation.agent());
        KnownCaller known = named.isPresent() ? new KnownCaller(null, null) : broker.caller();
        Optional<String> agent = named.or(() -> Optional.ofNullable(known.name()));
        boolean byToken = known.agent() == null && known.token() != null;
        String me = agent.orElseGet(invocation::holder);
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("url", broker.http().address().toString());
        status.put("store", served.map(ServedBroker::store).orElse(null));
        status.put("config", served.map(each -> each.record().text("config")).orElse(null));
        status.put(
                "pid",
                served.flatMap(ServedBroker::process).map(ProcessHandle::pid).orElse(null));
        status.put("repository", null); // filled in below; reserves its place in the output
        status.put("agent", me);
        Reply who = call(broker, "who", new Input().with("holder", me));
        List<JsonObject> mine = who.json().objects("holders").stream()
                .filter(holder -> me.equals(holder.text("holder")))
                .flatMap(holder -> holder.objects("claims").stream())
                .toList();
        Reply listed =
                call(broker, "list_reviews", new Input().with("open", true).with("limit", 100));
        @Nullable String project = listed.repository();
        status.put("repository", project);
        if (project == null) {
            status.put("no_repository", CurrentRepository.missing(invocation.shell()));
        }
        List<JsonObject> reviews = listed.json().objects("reviews");
        List<JsonObject> answers = reviews.stream()
                .filter(review -> "proposer".equals(review.object("attention").text("turn")))
                .filter(review -> me.equals(review.object("attention").text("who")))
                .toList();
        Map<Boolean, List<JsonObject>> pending = reviews.stream()
                .filter(review -> "pending".equals(review.text("status")))
                .collect(Collectors.partitioningBy(review -> isBy(me, review)));
        List<JsonObject> proposed = pending.getOrDefault(true, List.of());
        List<JsonObject> others = pending.getOrDefault(false, List.of());
        List<JsonObject> ready = call(broker, "ready_work", new Input().with("limit", 100))
                .json()
                .objects("items");
        List<JsonObject> unheld = call(
                        broker,
                        "list_work",
                        new Input().with("status", "in_progress").with("limit", 100))
                .json()
                .objects("items")
                .stream()
                .filter(item -> item.text("holder") == null)
                .toList();
        status.put("holds", members(mine));
        status.put("reviews_to_answer", members(answers));
        status.put("reviews_to_judge", members(others));
        status.put("reviews_proposed", members(proposed));
        status.put("work_ready", members(ready));
        status.put("work_without_holder", members(unheld));
        if (invocation.arguments().has("--json")) {
            invocation.printDocument(Json.write(status));
            return ExitCode.DONE;
        }
        Shell shell = invocation.shell();
        PrintStream out = shell.out();
        Instant now = who.at(shell.clock().instant());
        line(shell, "broker", status.get("url") + (status.get("pid") == null ? "" : ", process " + status.get("pid")));
        line(shell, "store", status.get("store"));
        line(shell, "config", status.get("config"));
        line(
                shell,
                "repository",
                project == null ? "none: " + status.get("no_repository") + ". Showing every repository." : project);
        line(shell, "you", me + (byToken ? BY_TOKEN : agent.isPresent() ? "" : source(invocation)));
        list(
                invocation,
                "you hold",
                mine,
                claim -> JsonText.resource(claim) + ", generation " + claim.number("claim_generation") + ", "
                        + JsonText.span(now, JsonText.instant(claim, "expires_at"))
                        + " left" + title(claim));
        list(invocation, "waits for you", answers, review -> review(review, next(review)));
        list(invocation, "proposed by you, waiting for a reviewer", proposed, review -> review(review, ""));
        list(invocation, "to review", others, review -> review(review, ""));
        list(invocation, "ready to do", ready, StatusCommand::item);
        list(invocation, "in progress, held by nobody", unheld, StatusCommand::item);
        if (Stream.of(mine, answers, proposed, others, ready, unheld).allMatch(List::isEmpty)) {
            out.println("You hold nothing, and nothing waits for you.");
        }
        return ExitCode.DONE;
    }

    private static boolean isBy(String me, JsonObject review) {
        return review.has("proposer") && me.equals(review.object("proposer").text("agent"));
    }

    private static Reply call(BrokerClient broker, String verb, Input input) {
        Reply reply = broker.call(verb, input.fields());
        if (!reply.accepted()) {
            throw Failure.refused(reply, "cannot look that up");
        }
        return reply;
    }

    private static List<Map<?, ?>> members(List<JsonObject> objects) {
        List<Map<?, ?>> members = new ArrayList<>();
        objects.forEach(object -> members.add(object.members()));
        return members;
    }

    /** Where the person's name comes from. */
    private static String source(Invocation invocation) {
        return CurrentRepository.user(invocation.shell()).isPresent()
                ? " (from git; HOLDFAST_AGENT overrides it)"
                : " (your login; HOLDFAST_AGENT overrides it)";
    }

    private static String item(JsonObject item) {
        return JsonText.text(item, "id") + " " + JsonText.text(item, "title");
    }

    private static void line(Shell shell, String name, @Nullable Object value) {
        if (value != null) {
            String padded = name + " ".repeat(Math.max(1, 12 - name.length()));
            Columns.hanging(
                            padded,
                            Printable.of(value.toString()),
                            shell.width().getAsInt())
                    .forEach(shell.out()::println);
        }
    }

    private interface Line {
        String of(JsonObject object);
    }

    private static void list(Invocation invocation, String heading, List<JsonObject> objects, Line line) {
        PrintStream out = invocation.shell().out();
        int width = invocation.shell().width().getAsInt();
        if (!objects.isEmpty()) {
            out.println(heading + " (" + (objects.size() < 100 ? "" : "at least ") + objects.size() + "):");
            objects.stream()
                    .limit(MAX_SHOWN)
                    .map(object -> "  " + line.of(object))
                    .forEach(text -> out.println(width == 0 ? text : Printable.shortened(text, width)));
            if (objects.size() > MAX_SHOWN) {
                out.println("  ...");
            }
        }
    }

    /** What the proposer should do about a review in this state. */
    private static String next(JsonObject review) {
        return switch (JsonText.text(review, "status")) {
            case "approved" -> ", close it once it is in";
            case "changes_requested" -> ", propose the next round";
            default -> ", answer the reviewer";
        };
    }

    private static String review(JsonObject review, String next) {
        return JsonText.shortId(review, "id") + " " + JsonText.text(review, "status") + next + "  "
                + Printable.lines(JsonText.text(review, "intent")).stream()
                        .findFirst()
                        .orElse("");
    }

    private static String title(JsonObject claim) {
        if (claim.get("paths") instanceof List<?> paths) {
            return ": " + Printable.of(paths.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
        return claim.has("title") ? ": " + JsonText.text(claim, "title") : "";
    }
}
