package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.claim.CurrentClaim;
import dev.holdfast.cli.claim.GrantOutput;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Colours;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The commands for reviewers. A person's name is the fence: the broker accepts a verdict only from the review's holder,
 * and only on content that this holder was shown. So nobody has to remember a generation; programs may pass one.
 */
public final class ReviewerCommands {
    private static final Map<String, String> REPEATED = Map.of(
            "approved", "approved this",
            "changes_requested", "requested changes",
            "comment", "posted this comment");

    private static final Map<String, String> VERDICTS = Map.of(
            "approve", "approved",
            "approved", "approved",
            "changes", "changes_requested",
            "changes_requested", "changes_requested",
            "comment", "comment");

    private static final Option GENERATION =
            Option.of("--generation", "N", "Your claim's generation. Default: that of your current claim.");

    public static final Command NEXT = Command.define(
                    "review next", "Claim the next review (most urgent first, then oldest) and show it.")
            .description(
                    "It is yours until you give a verdict, release it, or its lease expires. If there is none, prints \"nothing to"
                            + " review\" and exits with 5 (with --json: \"review_id\": null).")
            .options(
                    Option.PROJECT,
                    Option.EVERYWHERE,
                    Option.CATEGORY,
                    Option.of("--wait", "TIME", "Wait this long for one. Default: do not wait."),
                    Option.HOLDER)
            .examples("holdfast review next", "holdfast review next --project shop --wait 50s --json")
            .runs(ReviewerCommands::next);

    public static final Command CLAIM = Command.define("review claim", "Claim a review so that only you can judge it.")
            .description("Exit code 3: held by someone else. 5: it is not pending.")
            .parameters(ProposerCommands.ID)
            .options(Option.HOLDER)
            .examples("holdfast review claim 3f2c")
            .runs(ReviewerCommands::claim);

    public static final Command VERDICT = Command.define(
                    "review verdict", "Judge a review that you claimed: approve, changes or comment.")
            .description("""
            It applies to the content you were shown, and you can approve only what you have read in full: \
            'review show ID' shows it. A comment keeps your claim; the other verdicts end it.
            Point at lines with --finding. Without --reason and --finding, or with --edit, your editor (VISUAL, EDITOR) \
            opens with a template, as for 'git commit'.
            Exit code 6: you do not hold it, or no longer do. 5: not possible in its current state (claim it first), or not read in full.""")
            .parameters(ProposerCommands.ID, Parameter.required("VERDICT", "approve, changes or comment."))
            .options(
                    Option.of("--reason", "TEXT", "Why (required unless you approve or give a finding)."),
                    Option.repeatable(
                            "--finding",
                            "FINDING",
                            "What is wrong at a line: PATH:LINE:SEVERITY:MESSAGE, with must_fix (blocks approval),"
                                    + " should_fix or note. For several lines: PATH:FIRST-LAST:...; for a removed line:"
                                    + " PATH:LINE:old:SEVERITY:MESSAGE."),
                    Option.repeatable(
                            "--suggest", "TEXT", "What to write there instead: PATH:LINE=TEXT, for a --finding."),
                    Option.repeatable("--resolve", "ID", "Your own finding of an earlier round that is fixed."),
                    Option.repeatable(
                            "--waive", "ID=REASON", "Someone else's finding that does not have to be fixed, and why."),
                    Option.flag("--edit", "Write the verdict in your editor."),
                    Option.of(
                            "--counter-patch",
                            "FILE",
                            "A diff that you suggest instead, as git diff prints it; - reads standard input."),
                    Option.of("--revision", "HASH", "The revision you judged; refused if it is not the current one."),
                    GENERATION,
                    Option.HOLDER)
            .examples("""
            holdfast review verdict 3f2c approve
            holdfast review verdict 3f2c changes --reason 'there is no test'
            holdfast review verdict 3f2c changes --finding 'a.py:12:must_fix:no test'
            holdfast review verdict 3f2c approve --resolve f1 --waive 'f2=not here'
            holdfast review verdict 3f2c changes --edit
            holdfast review verdict 3f2c changes --reason simpler --counter-patch my.diff""")
            .runs(ReviewerCommands::verdict);

    public static final Command RELEASE = Command.define(
                    "review release", "Release a review that you claimed and will not judge.")
            .description("Exit code 6: you do not hold it, or no longer do.")
            .parameters(ProposerCommands.ID)
            .options(GENERATION, Option.of("--note", "TEXT", "A note for the next reviewer."), Option.HOLDER)
            .examples("holdfast review release 3f2c --note 'needs someone who knows SQL'")
            .runs(ReviewerCommands::release);

    private ReviewerCommands() {}

    private static ExitCode next(Invocation invocation) {
        Arguments given = invocation.arguments();
        Input input = new Input()
                .with("reviewer_id", invocation.holder())
                .with("project", invocation.scope("--project"))
                .with("category", given.text("--category"));
        return taken(invocation, "claim_next_review", input, true);
    }

    private static ExitCode claim(Invocation invocation) {
        Input input = new Input()
                .with("review_id", invocation.arguments().parameter(0))
                .with("reviewer_id", invocation.holder());
        return taken(invocation, "claim_review", input, false);
    }

    private static ExitCode taken(Invocation invocation, String verb, Input input, boolean show) {
        BrokerClient broker = invocation.broker();
        Reply reply = invocation.wait(broker, verb, input);
        if (isClaimed(reply) && !invocation.arguments().has("--json")) {
            String named = String.valueOf(invocation.arguments().parameter(0));
            Optional<CurrentClaim> standing = CurrentClaim.of(broker, "review:" + named);
            if (standing.isPresent()) {
                invocation.shell().err().println("holdfast: " + claimedAlready(standing.get(), invocation));
                return reply.exitCode();
            }
        }
        ExitCode exitCode = invocation.print(reply, (answer, out) -> print(invocation, answer, out, show));
        if (exitCode == ExitCode.NOT_CLAIMABLE
                && reply.accepted()
                && !invocation.arguments().has("--json")) {
            printHeld(invocation, broker);
        }
        JsonObject claim = reply.json();
        if (reply.accepted()
                && claim.has("claim_generation")
                && !invocation.shell().out().checkError()) {
            GrantOutput.confirm(
                    broker,
                    "review:" + claim.text("review_id"),
                    claim.text("claimed_by"),
                    claim.number("claim_generation"));
            String id = claim.text("review_id");
            if (show && id != null && !invocation.arguments().has("--json")) {
                invocation.shell().out().println();
                return ReviewShow.show(invocation, id);
            }
        }
        return claim.has("auto_rejected") ? ExitCode.NOT_CLAIMABLE : exitCode;
    }

    /** The command that shows a review to its holder; in another name it would not count as reading. */
    private static String show(Invocation invocation, String id) {
        return "holdfast review show " + id
                + (invocation.arguments().has("--holder") ? " --holder " + ShellWord.of(invocation.holder()) : "");
    }

    private static boolean isClaimed(Reply reply) {
        return !reply.accepted() && reply.error().startsWith("Invalid transition: claimed -> claimed");
    }

    private static String claimedAlready(CurrentClaim standing, Invocation invocation) {
        String id = JsonText.shortId(standing.resource().substring("review:".length()));
        return standing.holder().equals(invocation.holder())
                ? "you have claimed it already, until " + standing.until() + ". Read it: " + show(invocation, id)
                : Printable.of(standing.holder()) + " has claimed the review, until " + standing.until();
    }

    /** Reminds a user who looks for the next review of one they still hold. */
    private static void printHeld(Invocation invocation, BrokerClient broker) {
        Reply held = broker.call("who", Map.of("kind", "review", "holder", invocation.holder()));
        held.json().objects("holders").stream()
                .flatMap(holder -> holder.objects("claims").stream())
                .map(claim -> String.valueOf(claim.text("resource")))
                .map(resource -> JsonText.shortId(Printable.of(resource.substring("review:".length()))))
                .forEach(id -> invocation
                        .shell()
                        .out()
                        .println("you hold review " + id + "; continue with it: " + show(invocation, id)));
    }

    private static ExitCode print(Invocation invocation, Reply reply, PrintStream out, boolean shown) {
        JsonObject claim = reply.json();
        if (claim.text("review_id") == null) {
            String why = claim.text("message"); // what is waiting is not for this reviewer
            out.println("nothing to review" + (why == null ? "" : ". " + Printable.of(why)));
            return ExitCode.NOT_CLAIMABLE;
        } else if (claim.has("auto_rejected")) {
            out.println("its diff no longer applies; it was sent back to its proposer:");
            Printable.lines(JsonText.text(claim, "validation_error")).forEach(line -> out.println("  " + line));
        } else {
            String id = JsonText.shortId(claim, "review_id");
            out.println("claimed " + id + ", generation " + claim.number("claim_generation") + ", until "
                    + JsonText.time(claim, "expires_at"));
            if (!shown) {
                Printable.lines(JsonText.text(claim, "intent")).forEach(line -> out.println("  " + line));
                String description = claim.text("description");
                if (!claim.has("has_diff") && description != null) { // all there is to read
                    Printable.lines(description).forEach(line -> out.println("  " + line));
                }
                out.println("read it: " + show(invocation, id));
            }
        }
        return ExitCode.DONE;
    }

    private static ExitCode verdict(Invocation invocation) {
        Arguments given = invocation.arguments();
        String verdict = VERDICTS.get(invocation.parameter(1, "VERDICT"));
        if (verdict == null) {
            throw Failure.invalid("a verdict must be approve, changes or comment, not '" + given.parameter(1) + "'");
        }
        Remarks remarks = Remarks.of(given);
        String reason = given.text("--reason");
        boolean saysNothing = reason == null && remarks.findings().isEmpty() && !verdict.equals("approved");
        if (given.has("--edit") || (saysNothing && invocation.shell().width().getAsInt() > 0)) {
            return written(invocation, verdict, reason, remarks);
        }
        if (saysNothing) {
            throw Failure.invalid("--reason TEXT or --finding " + Remarks.FINDING_FORM
                    + " is required: what should change, or your comment");
        }
        boolean listed = reason == null && !verdict.equals("approved");
        return submit(invocation, verdict, listed ? remarks.asReason() : reason, remarks);
    }

    /** Opens an editor; keeps what was written until the broker has accepted it. */
    private static ExitCode written(Invocation invocation, String verdict, @Nullable String reason, Remarks remarks) {
        if (reason != null || !remarks.isEmpty()) {
            throw Failure.invalid("--edit cannot be used with --reason, --finding, --suggest, --resolve or --waive");
        }
        Reply proposal = invocation
                .broker()
                .call(
                        "get_proposal",
                        new Input()
                                .with("review_id", invocation.arguments().parameter(0))
                                .with("caller_id", invocation.holder())
                                .fields());
        if (!proposal.accepted()) {
            return invocation.print(proposal, (_, _) -> ExitCode.DONE);
        }
        VerdictDraft draft = VerdictDraft.write(invocation.shell(), verdict, proposal.json());
        if (draft.reason().isEmpty() && draft.remarks().isEmpty()) {
            draft.discard();
            throw Failure.invalid("nothing was written; no verdict was given");
        }
        String said = draft.reason().isEmpty() ? draft.remarks().asReason() : draft.reason();
        boolean taken = false;
        try {
            ExitCode exitCode = submit(invocation, verdict, said, draft.remarks());
            taken = exitCode == ExitCode.DONE;
            return exitCode;
        } finally {
            if (taken) {
                draft.discard();
            } else {
                invocation.shell().err().println("holdfast: your text is kept in " + draft.file());
            }
        }
    }

    private static ExitCode submit(Invocation invocation, String verdict, @Nullable String reason, Remarks remarks) {
        Arguments given = invocation.arguments();
        Input input = remarks.into(new Input()
                .with("review_id", given.parameter(0))
                .with("verdict", verdict)
                .with("reason", reason)
                .with("counter_patch", ReviewText.file(invocation, "--counter-patch"))
                .with("reviewer_id", invocation.holder())
                .with("claim_generation", given.number("--generation"))
                .with("revision", given.text("--revision")));
        BrokerClient broker = invocation.broker();
        Reply said = broker.call("submit_verdict", input.fields());
        if ("lost".equals(said.json().text("code")) && !given.has("--generation") && !given.has("--json")) {
            refuseWhatWasNeverHeld(broker, String.valueOf(given.parameter(0)), invocation.holder());
        }
        ExitCode exitCode = invocation.print(said, (reply, out) -> {
            String status = JsonText.text(reply.json(), "status");
            if (reply.json().has("replayed")) {
                out.println("you had already " + REPEATED.get(verdict));
            } else {
                String found = reply.json().get("findings") instanceof List<?> ids
                        ? ", findings " + ids.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        : "";
                out.println((verdict.equals("comment") ? "commented; still " : "")
                        + Colours.of(invocation.shell()).status(status)
                        + found);
            }
            return ExitCode.DONE;
        });
        boolean unread = "unread".equals(said.json().text("code"))
                || (!said.accepted() && said.error().startsWith("Stale revision"));
        if (unread && !given.has("--json")) {
            invocation
                    .shell()
                    .err()
                    .println("read it: " + show(invocation, Printable.of(String.valueOf(given.parameter(0)))));
        }
        return exitCode;
    }

    /** A user cannot have lost a review that they never held. */
    private static void refuseWhatWasNeverHeld(BrokerClient broker, String id, String me) {
        Reply status = broker.call("get_review_status", Map.of("review_id", id));
        Reply audit = broker.call("get_audit_log", Map.of("review_id", id));
        boolean held = audit.json().objects("events").stream()
                .anyMatch(event -> "review_claimed".equals(event.text("event_type")) && me.equals(event.text("actor")));
        if (status.accepted() && audit.accepted() && !held) {
            throw notHeld(status.json().text("claimed_by"));
        }
    }

    private static Failure notHeld(@Nullable String holder) {
        return Failure.lost(
                "you do not hold this review; " + (holder == null ? "nobody does" : Printable.of(holder) + " does"));
    }

    private static ExitCode release(Invocation invocation) {
        Arguments given = invocation.arguments();
        BrokerClient broker = invocation.broker();
        String id = String.valueOf(given.parameter(0));
        String holder = invocation.holder();
        @Nullable Number generation = given.number("--generation");
        if (generation == null) {
            Reply status = broker.call("get_review_status", Map.of("review_id", id));
            if (!status.accepted()) {
                return invocation.print(status, (_, _) -> ExitCode.DONE);
            }
            String claimedBy = status.json().text("claimed_by");
            if (!holder.equals(claimedBy)) {
                throw notHeld(claimedBy);
            }
            generation = status.json().number("claim_generation");
        }
        Input input = new Input()
                .with("review_id", id)
                .with("reviewer_id", holder)
                .with("claim_generation", generation)
                .with("note", given.text("--note"));
        return invocation.print(broker.call("release_review", input.fields()), (_, out) -> {
            out.println("released review " + JsonText.shortId(Printable.of(id)));
            return ExitCode.DONE;
        });
    }
}
