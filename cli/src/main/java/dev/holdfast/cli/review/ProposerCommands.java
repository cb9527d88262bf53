package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.Change;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.git.GitFailure;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands for proposers. */
public final class ProposerCommands {
    static final Parameter ID = Parameter.required("ID", "The review, as 'review list' shows it.");

    public static final Command CREATE = Command.define(
                    "review create", "Propose a change for review, or submit the next round.")
            .description("""
            The change is a diff (--diff, --staged or --range), or just text: then --description is what is reviewed. A diff \
            must apply to the commit that is checked out, or to the start of the range; uncommitted work does not matter.""")
            .parameters(Parameter.required("INTENT", "What the change is for, in a sentence."))
            .options(
                    Option.of("--diff", "FILE", "The change, a unified diff; - reads standard input."),
                    Option.flag("--staged", "The change staged in git, as the gate will see it."),
                    Option.of("--range", "A..B", "These commits as a whole, as the gate will see them."),
                    Option.of(
                            "--description",
                            "TEXT",
                            "What a reviewer should know. Default with --round-of: that of the round before."),
                    Option.of("--project", "PROJECT", "The project. Default: this repository."),
                    Option.of("--category", "CATEGORY", "Such as code_change, plan_review, verification, handoff."),
                    Option.of("--priority", "PRIORITY", "How urgent: critical, normal or low. Default: normal."),
                    Option.of("--phase", "PHASE", "The phase of the work. Default: manual."),
                    Option.of(
                            "--round-of", "ID", "Submit the next round of this review, after changes were requested."),
                    Option.flag("--new", "Start a new review, even if one of yours has changes requested here."),
                    Option.flag("--skip-check", "Do not check that the diff applies."),
                    Option.HOLDER)
            .examples("""
            holdfast review create 'Add a cache' --diff change.diff --project shop
            git diff | holdfast review create 'Add a cache' --diff -
            holdfast review create 'Add a cache' --staged --priority critical
            holdfast review create 'Plan of phase 7' --description "$(cat PLAN.md)"
            holdfast review create 'Add a cache, with a test' --diff - --round-of 3f2c""")
            .runs(ProposerCommands::create);

    public static final Command CLOSE = Command.define(
                    "review close", "Close an approved review once the change is in.")
            .description("Exit code 5: it is not approved.")
            .parameters(ID)
            .options(Option.HOLDER)
            .examples("holdfast review close 3f2c")
            .runs(invocation -> ended(invocation, "close_review", new Input().with("closer_role", "proposer")));

    public static final Command WITHDRAW = Command.define(
                    "review withdraw", "Withdraw a review that is no longer needed; its reviewer is freed.")
            .parameters(ID)
            .options(Option.of("--reason", "TEXT", "Why (required)."), Option.HOLDER)
            .examples("holdfast review withdraw 3f2c --reason 'fixed another way'")
            .runs(ProposerCommands::withdraw);

    public static final Command ACCEPT = Command.define(
                    "review accept", "Replace your change with the reviewer's counter-patch.")
            .description("""
            The review becomes pending again, because the new change needs its own verdict. 'review show ID --patch' prints it \
            for git apply. Exit code 5: there is no counter-patch, or the review is settled.""")
            .parameters(ID)
            .options(Option.HOLDER)
            .examples("holdfast review accept 3f2c")
            .runs(ProposerCommands::accept);

    public static final Command REJECT = Command.define(
                    "review reject", "Reject the reviewer's counter-patch; your own change stays.")
            .parameters(ID)
            .options(Option.HOLDER)
            .examples("holdfast review reject 3f2c")
            .runs(ProposerCommands::reject);

    private ProposerCommands() {}

    private static ExitCode create(Invocation invocation) {
        Arguments given = invocation.arguments();
        boolean fromGit = given.has("--staged") || given.has("--range");
        if (Stream.of("--diff", "--staged", "--range").filter(given::has).count() > 1) {
            throw Failure.invalid("use only one of --diff, --staged and --range");
        }
        if (given.has("--round-of") && given.has("--new")) {
            throw Failure.invalid("--round-of and --new cannot be used together");
        }
        Optional<String> agent =
                invocation.knownAgent(); // proposing needs no name, but a name tells others whose it is
        Input input = (fromGit ? fromGit(invocation) : new Input())
                .with("intent", given.parameter(0))
                .with("agent_type", agent.orElseGet(invocation::holder))
                .with("agent_role", "proposer")
                .with("phase", Objects.requireNonNullElse(given.text("--phase"), "manual"))
                .with("category", given.text("--category"))
                .with("priority", given.text("--priority"))
                .with("description", ReviewText.description(invocation, "--round-of"))
                .with("review_id", given.text("--round-of"))
                .with("holder", agent.orElse(null))
                .with("skip_diff_validation", given.has("--skip-check") ? true : null);
        if (!fromGit) {
            String diff = diff(invocation);
            Repository here = diff == null ? null : here(invocation);
            input.with("diff", diff == null || here == null ? diff : here.withHeadingsByGit(diff))
                    .with("base", here == null ? null : here.base())
                    .with("project", given.text("--project"));
        }
        return invocation.ask("create_review", input.fields(), (reply, out) -> {
            JsonObject json = reply.json();
            out.println("review " + JsonText.text(json, "review_id") + ", round " + json.number("round") + ", "
                    + JsonText.text(json, "revision")
                    + (json.has("existing") ? ": already proposed, and " + JsonText.text(json, "status") : ""));
            if (json.has("not_checked")) {
                out.println("  not checked by git: " + JsonText.text(json, "not_checked"));
            }
            out.println("wait for its verdict: " + Program.name(invocation.shell()) + " review wait "
                    + JsonText.shortId(json, "review_id"));
            return ExitCode.DONE;
        });
    }

    private static @Nullable String diff(Invocation invocation) {
        Arguments given = invocation.arguments();
        String diff = ReviewText.file(invocation, "--diff");
        if (diff != null && diff.isBlank()) {
            throw Failure.invalid("--diff " + given.text("--diff") + " is empty: nothing to review");
        }
        if (diff != null && !given.has("--skip-check") && diff.lines().noneMatch(ProposerCommands::isOfDiff)) {
            throw Failure.invalid("--diff " + given.text("--diff")
                    + " is not a diff: it has no line that begins with diff, --- or @@");
        }
        if (diff == null && !given.has("--description")) {
            throw Failure.invalid("nothing to review: use --diff FILE, --staged, --range A..B or --description TEXT");
        }
        return diff;
    }

    private static boolean isOfDiff(String line) {
        return line.startsWith("diff ") || line.startsWith("--- ") || line.startsWith("@@ ");
    }

    /** The repository in which a diff is submitted; null: none, or the diff is for another project. */
    private static @Nullable Repository here(Invocation invocation) {
        if (invocation.arguments().has("--project")) {
            return null;
        }
        try {
            return Repository.of(invocation.shell().folder(), invocation.shell().environment());
        } catch (GitFailure outside) {
            return null;
        }
    }

    /** Exactly the diff that the gate makes, so that its approval is the one that the gate looks for. */
    private static Input fromGit(Invocation invocation) {
        try {
            ApprovalTarget target = ApprovalTarget.of(invocation);
            String range = invocation.arguments().text("--range");
            Change change = range == null
                    ? target.repository().staged()
                    : target.repository().range(range).whole();
            if (change.isNothing()) {
                throw Failure.invalid("there is nothing to review in " + change.name());
            }
            if (!invocation.arguments().has("--round-of")
                    && !invocation.arguments().has("--new")) {
                target.refuseNextRound(invocation, change, "--round-of");
            }
            return target.proposed(change);
        } catch (GitFailure e) {
            throw Failure.invalid(e.text());
        }
    }

    private static ExitCode withdraw(Invocation invocation) {
        String reason = invocation.arguments().text("--reason");
        if (reason == null) {
            throw Failure.invalid("review withdraw needs --reason TEXT: why it is no longer needed");
        }
        return ended(invocation, "withdraw_review", new Input().with("reason", reason));
    }

    private static ExitCode ended(Invocation invocation, String verb, Input input) {
        input.with("review_id", invocation.arguments().parameter(0));
        return invocation.ask(verb, input.fields(), (reply, out) -> {
            out.println(JsonText.text(reply.json(), "status"));
            return ExitCode.DONE;
        });
    }

    private static ExitCode accept(Invocation invocation) {
        Input input = new Input()
                .with("review_id", invocation.arguments().parameter(0))
                .with("reopen", true);
        return invocation.ask("accept_counter_patch", input.fields(), (reply, out) -> {
            String id = JsonText.shortId(id(reply.json(), invocation));
            out.println("counter-patch accepted; "
                    + (reply.json().has("reopened") ? "the review is pending again" : "it now needs its own verdict"));
            out.println("to apply it in place of your own change, stash that first: git stash");
            out.println("then: " + Program.name(invocation.shell()) + " review show " + id
                    + " --patch | git apply --index");
            return ExitCode.DONE;
        });
    }

    private static ExitCode reject(Invocation invocation) {
        Input input = new Input().with("review_id", invocation.arguments().parameter(0));
        return invocation.ask("reject_counter_patch", input.fields(), (_, out) -> {
            out.println("counter-patch rejected");
            return ExitCode.DONE;
        });
    }

    private static String id(JsonObject answer, Invocation invocation) {
        String whole = answer.text("review_id");
        return Printable.of(
                whole == null ? String.valueOf(invocation.arguments().parameter(0)) : whole);
    }
}
