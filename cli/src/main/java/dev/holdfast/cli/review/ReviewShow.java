package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.BrokerClient;
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
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.cli.terminal.WrappedText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows one review, with everything that a person needs to judge it. */
public final class ReviewShow implements Command.Action {
    private static final int SHORT_REVISION = 16;

    public static final Command DEFINITION = Command.define(
                    "review show",
                    "Show a review: state, findings, verdicts, messages, and the diff with each finding at its line.")
            .description("""
            If you have claimed it, this counts as reading it, so you can approve it. Colours appear on a terminal; for a pager, \
            set CLICOLOR_FORCE=1. With --json: one document with "id", "status", \
            "proposal", "discussion" and "timeline", each as the broker returned it.""")
            .parameters(ProposerCommands.ID)
            .options(
                    Option.of("--round", "N", "Show this round. Default: the current one."),
                    Option.flag("--diff", "Show the diff, and the counter-patch if there is one (default)."),
                    Option.flag("--no-diff", "Leave out the diff. It then does not count as read."),
                    Option.flag("--patch", "Print only the diff, as it is, for git apply."),
                    Option.HOLDER)
            .examples("""
            holdfast review show 3f2c
            CLICOLOR_FORCE=1 holdfast review show 3f2c | less -R
            holdfast review show 3f2c --round 1 --no-diff
            holdfast review show 3f2c --patch | git apply --index""")
            .runs(new ReviewShow());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments given = invocation.arguments();
        if (given.has("--diff") && given.has("--no-diff")) {
            throw Failure.invalid("--diff and --no-diff cannot be used together");
        }
        if (given.has("--patch")) {
            return patch(invocation);
        }
        return show(invocation, invocation.parameter(0, "ID"));
    }

    private static ExitCode patch(Invocation invocation) {
        Arguments given = invocation.arguments();
        for (String option : List.of("--diff", "--no-diff", "--json")) {
            if (given.has(option)) {
                throw Failure.invalid("--patch and " + option + " cannot be used together");
            }
        }
        Input input = new Input()
                .with("review_id", invocation.parameter(0, "ID"))
                .with("round", given.number("--round"))
                .with("caller_id", invocation.holder());
        return invocation.ask("get_proposal", input.fields(), (reply, out) -> {
            String diff = reply.json().text("diff");
            if (diff == null || diff.isEmpty()) {
                throw Failure.invalid("this review has no diff; what is reviewed is its text");
            }
            out.writeBytes(diff.getBytes(StandardCharsets.UTF_8));
            return ExitCode.DONE;
        });
    }

    /** Also used after claiming it. */
    static ExitCode show(Invocation invocation, String review) {
        Arguments given = invocation.arguments();
        BrokerClient broker = invocation.broker();
        Map<String, Object> id = Map.of("review_id", review);
        Reply status = broker.call("get_review_status", id);
        String reader = invocation.holder();
        boolean withDiff = !given.has("--no-diff");
        Input shown = new Input().with("review_id", review).with("round", given.number("--round"));
        if (withDiff || given.has("--json")) { // otherwise it is not shown, and so not read
            shown.with("caller_id", reader);
        }
        Map<String, Reply> replies = new LinkedHashMap<>();
        replies.put("status", status);
        replies.put("proposal", broker.call("get_proposal", shown.fields()));
        if (isHeldBy(reader, status.json())) {
            replies.put("status", broker.call("get_review_status", id)); // including what has just been read
        }
        replies.put("discussion", broker.call("get_discussion", id));
        replies.put("timeline", broker.call("get_review_timeline", id));
        for (Reply reply : replies.values()) {
            if (!reply.accepted()) {
                return invocation.print(reply, (_, _) -> ExitCode.DONE);
            }
        }
        if (given.has("--json")) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("id", status.json().text("id"));
            replies.forEach((name, reply) -> document.put(name, reply.json().members()));
            invocation.printDocument(Json.write(document));
            return ExitCode.DONE;
        }
        new Page(replies, Colours.of(invocation.shell()), invocation.shell()).print(withDiff);
        return ExitCode.DONE;
    }

    private static boolean isHeldBy(String reader, JsonObject status) {
        return "claimed".equals(status.text("status")) && reader.equals(status.text("claimed_by"));
    }

    /** The page for a person. */
    private static final class Page {
        private final JsonObject status;
        private final JsonObject proposal;
        private final JsonObject discussion;
        private final JsonObject timeline;
        private final Instant now;
        private final Colours paint;
        private final PrintStream out;
        private final WrappedText prose;

        private Page(Map<String, Reply> replies, Colours paint, Shell shell) {
            Map<String, JsonObject> read = new LinkedHashMap<>();
            replies.forEach((name, reply) -> read.put(name, reply.json()));
            status = read.getOrDefault("status", JsonObject.of(null));
            proposal = read.getOrDefault("proposal", JsonObject.of(null));
            discussion = read.getOrDefault("discussion", JsonObject.of(null));
            timeline = read.getOrDefault("timeline", JsonObject.of(null));
            prose = WrappedText.on(shell);
            now = replies.values().iterator().next().at(shell.clock().instant());
            this.paint = paint;
            out = shell.out();
        }

        private void print(boolean withDiff) {
            head();
            block("description", proposal.text("description"));
            files();
            String diff = withDiff ? proposal.text("diff") : null;
            List<FindingText> findings = proposal.objects("findings").stream()
                    .map(finding -> new FindingText(finding, paint))
                    .toList();
            AnnotatedDiff annotated = new AnnotatedDiff(diff == null ? "" : diff, findings, paint, prose);
            annotated.elsewhere().forEach(this::finding);
            new VerdictLines(timeline.objects("events"), status.text("verdict_reason"))
                    .lines(paint, prose)
                    .forEach(out::println);
            List<JsonObject> messages = discussion.objects("messages");
            messages.forEach(message -> DiscussionCommands.print(message, paint, prose, out));
            String counterPatch = proposal.text("counter_patch_status");
            if (counterPatch != null) {
                out.println("counter-patch: " + paint.status(counterPatch)
                        + (counterPatch.equals("pending") ? "; decide with 'review accept' or 'review reject'" : ""));
            }
            if (withDiff) {
                out.println();
                annotated.lines().forEach(out::println);
                if (diff == null) {
                    out.println("no diff");
                }
                String patch = proposal.text("counter_patch");
                if (patch != null) {
                    out.println(paint.bold("counter-patch:"));
                    new AnnotatedDiff(patch, List.of(), paint, prose).lines().forEach(out::println);
                }
            }
        }

        /** Abbreviated on a terminal; use --json or a pipe for the whole. */
        private String revision() {
            String whole = JsonText.text(proposal, "revision");
            return prose.columns() > 0 ? Printable.shortened(whole, SHORT_REVISION) : whole;
        }

        private void head() {
            String id = JsonText.text(status, "id");
            out.println(paint.bold("review " + (prose.columns() > 0 ? JsonText.shortId(id) : id)) + "  "
                    + paint.status(JsonText.text(status, "status")) + "  round " + status.number("current_round")
                    + "  "
                    + JsonText.text(status, "priority"));
            prose.lines("", String.valueOf(proposal.text("intent"))).forEach(out::println);
            fact("project " + JsonText.project(status, "project") + ", category " + JsonText.orDash(status, "category")
                    + by() + ", phase " + JsonText.orDash(status, "phase"));
            fact("proposed " + JsonText.ago(status, "created_at", now) + ", changed "
                    + JsonText.ago(status, "updated_at", now) + ", content " + revision() + " of round "
                    + proposal.number("round"));
            proposer(status.object("proposer"));
            if ("claimed".equals(status.text("status"))) {
                fact("claimed by " + JsonText.orDash(status, "claimed_by") + ", generation "
                        + status.number("claim_generation"));
            }
            for (JsonObject receipt : status.objects("read_by")) {
                fact(ReviewText.read(receipt));
            }
            String turn = ReviewText.turn(status);
            if (!turn.isEmpty()) {
                fact("waiting for " + turn + " for "
                        + JsonText.span(JsonText.instant(status.object("attention"), "since"), now));
            }
        }

        /** What the proposer says it is; empty if that is the same as the name shown below. */
        private String by() {
            JsonObject proposer = status.object("proposer");
            String kind = JsonText.text(status, "agent_type");
            boolean named = proposer.text("known_by") != null && kind.equals(JsonText.text(proposer, "agent"));
            return named ? "" : ", by " + kind;
        }

        private void proposer(JsonObject proposer) {
            if (proposer.text("known_by") != null) {
                String name = proposer.text("agent");
                fact("proposed by " + (name == null ? "someone" : Printable.of(name)) + ReviewText.known(proposer));
            }
        }

        private void fact(String text) {
            prose.lines("  ", text).forEach(out::println);
        }

        private void block(String name, @Nullable String text) {
            if (text != null && !text.isBlank()) {
                out.println(paint.bold(name + ":"));
                prose.lines("  ", text).forEach(out::println);
            }
        }

        private void files() {
            for (JsonObject file : proposal.objects("affected_files")) {
                String from = file.text("old_path");
                out.println("  " + JsonText.text(file, "operation") + " "
                        + (from == null ? "" : Printable.of(from) + " -> ") + JsonText.path(file) + "  +"
                        + file.number("added") + " -" + file.number("removed"));
            }
        }

        private void finding(FindingText finding) {
            out.println("finding " + finding.heading() + ", " + finding.place());
            finding.body("  ", prose).forEach(out::println);
        }
    }
}
