package dev.holdfast.cli.gate;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.git.Change;
import dev.holdfast.cli.git.Range;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.review.ApprovalTarget;
import dev.holdfast.cli.review.ReviewText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.git.UnambiguousDiff;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks the broker about changes, and prints the answer. */
final class Gate {
    static final String UNREACHABLE = "holdfast.gate.unreachable";

    /** @param answer the broker's answer; null: there was nothing to ask */
    record Checked(String name, boolean approved, @Nullable JsonObject answer) {}

    private final Invocation invocation;
    private final ApprovalTarget target;
    private String project;

    Gate(Invocation invocation, ApprovalTarget target) {
        this.invocation = invocation;
        this.target = target;
        project = target.project();
    }

    ExitCode check(Change change) {
        boolean open = isOpenWhenUnreachable();
        try {
            List<Checked> checked = List.of(ask(change));
            return print(checked, new GateRefusal(invocation, target, project, null));
        } catch (Failure failure) {
            return unchecked(failure, open);
        }
    }

    ExitCode check(List<Range> ranges) {
        boolean open = isOpenWhenUnreachable();
        try {
            List<Checked> all = new ArrayList<>();
            Range stopping = null;
            for (Range range : ranges) {
                List<Checked> checked = ask(range);
                all.addAll(checked);
                if (stopping == null && !checked.stream().allMatch(Checked::approved)) {
                    stopping = range;
                }
            }
            return print(all, new GateRefusal(invocation, target, project, stopping));
        } catch (Failure failure) {
            return unchecked(failure, open);
        }
    }

    private ExitCode print(List<Checked> checked, GateRefusal stopped) {
        boolean approved = checked.stream().allMatch(Checked::approved);
        if (invocation.arguments().has("--json")) {
            invocation.printDocument(Json.write(document(approved, checked)));
        } else if (approved) {
            checked.forEach(each -> invocation.shell().out().println(passed(each)));
        } else {
            stopped.print(
                    checked.stream().filter(each -> !each.approved()).toList(),
                    invocation.shell().err());
        }
        return approved ? ExitCode.DONE : ExitCode.NOT_APPROVED;
    }

    private Map<String, @Nullable Object> document(boolean approved, List<Checked> checked) {
        List<Map<String, @Nullable Object>> contents = new ArrayList<>();
        for (Checked each : checked) {
            Map<String, @Nullable Object> content = new LinkedHashMap<>();
            content.put("content", each.name());
            content.put("approved", each.approved());
            if (each.answer() != null) {
                each.answer().members().forEach((name, value) -> content.put(String.valueOf(name), value));
            }
            contents.add(content);
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("approved", approved);
        document.put("project", project);
        document.put("contents", contents);
        return document;
    }

    private static String passed(Checked checked) {
        String name = "approved: " + Printable.of(checked.name());
        JsonObject answer = checked.answer();
        if (answer == null) {
            return checked.name().equals(Repository.STAGED)
                    ? "nothing staged, nothing to approve"
                    : "nothing to approve in " + Printable.of(checked.name());
        }
        String review = answer.text("review_id");
        if (review != null) {
            return name + ", by " + Printable.of(String.valueOf(answer.text("reviewer"))) + " in review "
                    + Printable.of(review) + ReviewText.known(answer) + ReviewText.readAll(answer.get("read_all"));
        }
        JsonObject override = answer.object("override");
        return name + ", overridden by " + Printable.of(String.valueOf(override.text("by"))) + ": "
                + Printable.of(String.valueOf(override.text("reason")));
    }

    /** Asks about the range as one change first; unless that is approved, about each commit. */
    private List<Checked> ask(Range range) {
        if (range.isEmpty()) {
            return List.of(new Checked(range.name(), true, null));
        }
        Checked whole = range.hasWhole() ? ask(range.whole()) : null;
        boolean single = range.commits().size() == 1
                && range.commits().getFirst().parents().size() < 2;
        if (whole != null && (whole.approved() || single || range.isTooLong())) {
            return List.of(whole);
        }
        if (range.isTooLong()) {
            throw Failure.invalid(range.name() + " has too many commits to check one by one; push them in parts");
        }
        List<Checked> each =
                range.commits().stream().map(range::change).map(this::ask).toList();
        // If no commit has its own approval, people review whole ranges: report the range.
        boolean some = each.stream().anyMatch(checked -> checked.approved() && checked.answer() != null);
        boolean all = each.stream().allMatch(Checked::approved);
        return whole == null || some || all ? each : List.of(whole);
    }

    /**
     * Asks with the context that identifies the change's place; then with plain context, as somebody may have proposed
     * it.
     */
    private Checked ask(Change change) {
        if (change.isNothing()) {
            return new Checked(change.name(), true, null);
        }
        Checked checked = askOrFindMoved(change);
        if (checked.approved() || !change.hasMoreContext()) {
            return checked;
        }
        Checked plain = ask(change.asPlain(), null);
        String why = checked.answer() == null ? null : checked.answer().text("why");
        boolean unknown = "other_content".equals(why) || "never_reviewed".equals(why);
        return plain.approved() || unknown ? plain : checked;
    }

    private Checked askOrFindMoved(Change change) {
        Checked checked = ask(change, null);
        if (checked.approved() || checked.answer() == null || target.found() == null) {
            return checked;
        }
        for (JsonObject moved : checked.answer().objects("may_have_moved")) {
            if (target.repository().hasOnlyMoved(change, reviewed(moved))) {
                return ask(change, moved.text("review_id"));
            }
        }
        return checked;
    }

    private static List<UnambiguousDiff.Reviewed> reviewed(JsonObject moved) {
        return moved.objects("files").stream()
                .map(file -> new UnambiguousDiff.Reviewed(
                        String.valueOf(file.text("path")),
                        String.valueOf(file.text("reviewed")),
                        String.valueOf(file.text("asked"))))
                .toList();
    }

    private Checked ask(Change change, @Nullable String movedFrom) {
        int digits = change.placed().digits();
        Input input = target.asked(change)
                .with("moved_from", movedFrom)
                .with("digits", digits > UnambiguousDiff.MIN_DIGITS ? digits : null);
        Reply reply = invocation.broker().call("check_approval", input.fields());
        if (!reply.accepted()) {
            throw Failure.refused(reply, change.name());
        }
        project = Objects.requireNonNullElse(reply.repository(), project); // the broker tells namesakes apart
        return new Checked(change.name(), Boolean.TRUE.equals(reply.json().get("approved")), reply.json());
    }

    private ExitCode unchecked(Failure failure, boolean open) {
        if (!List.of("unreachable", "unanswered").contains(failure.code())) {
            throw failure;
        }
        if (open) {
            invocation.shell().err().println("holdfast: NOT CHECKED: " + failure.text());
            return ExitCode.DONE;
        }
        throw Failure.unreachable(
                failure.text() + " Without a broker nothing passes the gate. To let changes through anyway: git config "
                        + UNREACHABLE + " open",
                failure);
    }

    private boolean isOpenWhenUnreachable() {
        String how = invocation.arguments().text("--unreachable");
        String from = "--unreachable";
        if (how == null && target.found() != null) {
            how = target.found().config(UNREACHABLE).orElse(null);
            from = "git config " + UNREACHABLE;
        }
        return switch (how == null ? "closed" : how) {
            case "open" -> true;
            case "closed" -> false;
            default -> throw Failure.invalid(from + " must be open or closed, not '" + how + "'");
        };
    }
}
