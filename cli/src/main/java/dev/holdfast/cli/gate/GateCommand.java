package dev.holdfast.cli.gate;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.git.Change;
import dev.holdfast.cli.git.Push;
import dev.holdfast.cli.git.Range;
import dev.holdfast.cli.review.ApprovalTarget;
import dev.holdfast.git.GitFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks whether exactly this change was approved, and helps to get it approved. */
public final class GateCommand implements Command.Action {
    public static final Command DEFINITION = Command.define(
                    "gate", "Check that exactly this change was approved before it is committed or pushed.")
            .description("""
            Exit code 0: it was, or there is nothing to approve. 8: it was not; the message says why and what to do. 7: no broker \
            answers; 'git config holdfast.gate.unreachable open' lets changes pass in that case. A range passes when it is \
            approved as one change, or when each of its commits is. In a merge, only manual edits need approval.""")
            .options(
                    Option.flag("--staged", "The staged change (default)."),
                    Option.of("--range", "A..B", "The commits in B that are not in A; B alone: all its commits."),
                    Option.of("--diff", "FILE", "The diff in a file; - reads standard input."),
                    Option.of("--pre-push", "REMOTE", "What git passes to a pre-push hook on standard input."),
                    Option.of(
                            "--project",
                            "NAME",
                            "The project. Default: git config holdfast.project, else the name of the top folder."),
                    Option.of(
                            "--unreachable",
                            "HOW",
                            "open: pass when no broker answers; closed: do not. Default: git config"
                                    + " holdfast.gate.unreachable, else closed."),
                    Option.flag("--propose", "Submit it for review, exactly as it is."),
                    Option.of("--intent", "TEXT", "With --propose: what the change is for (required)."),
                    Option.of(
                            "--description",
                            "TEXT",
                            "With --propose: what a reviewer should know. Default with --review: that of the round before."),
                    Option.of("--priority", "PRIORITY", "With --propose, how urgent: critical, normal or low."),
                    Option.of("--review", "ID", "With --propose: as the next round of this review."),
                    Option.flag(
                            "--new",
                            "With --propose: as a new review, even if one of yours has changes requested here."),
                    Option.flag("--print-diff", "Print the diff that needs approval."),
                    Option.of(
                            "--override",
                            "REASON",
                            "Let it pass without approval. The override is recorded in the audit log."),
                    Option.HOLDER)
            .examples("""
            holdfast gate
            holdfast gate --propose --intent "Add a cache"
            holdfast gate --range origin/main..HEAD
            holdfast gate --override "production is down\"""")
            .runs(new GateCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        Arguments given = invocation.arguments();
        onlyOne(given, "--staged", "--range", "--diff", "--pre-push");
        onlyOne(given, "--propose", "--print-diff", "--override");
        onlyOne(given, "--review", "--new");
        onlyOne(given, "--print-diff", "--json");
        for (String option : List.of("--intent", "--description", "--priority", "--review", "--new")) {
            if (given.has(option) && !given.has("--propose")) {
                throw Failure.invalid(option + " needs --propose");
            }
        }
        try {
            ApprovalTarget target = ApprovalTarget.of(invocation);
            if (given.has("--pre-push")) {
                if (given.has("--propose") || given.has("--print-diff") || given.has("--override")) {
                    throw Failure.invalid("--pre-push only checks; for anything else use --range");
                }
                return push(invocation, target);
            }
            Range range = given.has("--range") ? target.repository().range(text(given, "--range")) : null;
            boolean checks = !given.has("--print-diff") && !given.has("--propose") && !given.has("--override");
            if (range != null && checks) {
                return new Gate(invocation, target).check(List.of(range));
            }
            Change change = range == null ? target.change(invocation) : range.whole();
            if (given.has("--print-diff")) {
                invocation.shell().out().writeBytes(change.diff().getBytes(StandardCharsets.UTF_8));
                return ExitCode.DONE;
            }
            if (given.has("--propose")) {
                return new GateActions(invocation, target).propose(change);
            }
            if (given.has("--override")) {
                return new GateActions(invocation, target).override(change, text(given, "--override"));
            }
            return new Gate(invocation, target).check(change);
        } catch (GitFailure e) {
            throw Failure.invalid(e.text());
        }
    }

    private static ExitCode push(Invocation invocation, ApprovalTarget target) {
        String lines = ApprovalTarget.text(
                "standard input", ApprovalTarget.read(invocation.shell().in()));
        List<Range> ranges = Push.ranges(target.repository(), text(invocation.arguments(), "--pre-push"), lines);
        return new Gate(invocation, target).check(ranges);
    }

    private static String text(Arguments given, String option) {
        @Nullable String text = given.text(option);
        return text == null ? "" : text;
    }

    private static void onlyOne(Arguments given, String... options) {
        List<String> found = Stream.of(options).filter(given::has).toList();
        if (found.size() > 1) {
            throw Failure.invalid(String.join(" and ", found) + " cannot be used together");
        }
    }
}
