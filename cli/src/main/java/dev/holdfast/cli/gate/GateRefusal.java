package dev.holdfast.cli.gate;

import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.git.Range;
import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.review.ApprovalTarget;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody stopped by the gate reads: what is not approved, why, and each way forward as a command.
 *
 * @param project the broker's key for it
 * @param range null: it is not about commits
 */
record GateRefusal(
        Invocation invocation,
        ApprovalTarget target,
        String project,
        @Nullable Range range) {
    private static final int MAX_SHOWN = 10;

    void print(List<Gate.Checked> refused, PrintStream err) {
        err.println("holdfast: not approved, in project " + Printable.of(project) + ":");
        for (Gate.Checked each : refused.subList(0, Math.min(MAX_SHOWN, refused.size()))) {
            JsonObject answer = each.answer() == null ? JsonObject.of(null) : each.answer();
            err.println("  " + Printable.of(each.name()));
            // how to propose it is printed below
            Printable.lines(RefusalWording.of(
                            String.valueOf(answer.text("message")).replace(" with create_review.", ".")))
                    .forEach(line -> err.println("    " + line));
            err.println("    " + answer.text("revision"));
        }
        if (refused.size() > MAX_SHOWN) {
            err.println("  and " + (refused.size() - MAX_SHOWN) + " more");
        }
        err.println("What to do:");
        if (range == null && ApprovalTarget.isOwnIndex(invocation)) {
            err.println(
                    "  This commit differs from what is staged (-a, or named files). Stage exactly that first: git add");
        }
        String gate = Program.name(invocation.shell()) + " gate" + what();
        String pending = reviewThat(refused, "pending");
        String judged = reviewThat(refused, "changes_requested");
        String revised = revised(refused);
        if (pending != null) {
            err.println("  " + Program.name(invocation.shell()) + " review wait "
                    + JsonText.shortId(Printable.of(pending)));
            err.println("    waits for the reviewer. Once it is approved, " + passes() + ".");
        } else if (judged != null) {
            String id = JsonText.shortId(Printable.of(judged));
            err.println("  " + Program.name(invocation.shell()) + " review show " + id);
            err.println("    shows what the reviewer wants changed. Change it, stage it, and propose the next round:");
            err.println("  " + gate + " --propose --review " + id + " --intent \"what the change is for\"");
        } else if (revised != null) {
            String id = JsonText.shortId(Printable.of(revised));
            err.println("  " + gate + " --propose --review " + id + " --intent \"what the change is for\"");
            err.println("    submits it as the next round of review " + id
                    + ", which asked for changes. Use --new instead of --review if this is another change.");
            err.println("  Once a reviewer has approved it, " + passes() + ".");
        } else {
            err.println("  " + gate + " --propose --intent \"what the change is for\"");
            err.println(
                    "    submits exactly this change; add --review ID for the next round of a review. From an agent over MCP:");
            err.println("    create_review with project \"" + Printable.of(project) + "\", skip_diff_validation true"
                    + " and as diff the output of '" + gate + " --print-diff'.");
            err.println("  Once a reviewer has approved it, " + passes() + ".");
        }
        err.println("  " + gate + " --override \"why it cannot wait\"");
        err.println("    lets it pass unreviewed; for people only, and recorded in the audit log.");
    }

    /** The review in question, if there is only one and this is the reason. */
    private static @Nullable String reviewThat(List<Gate.Checked> refused, String why) {
        JsonObject only = refused.size() == 1 ? refused.getFirst().answer() : null;
        return only != null && why.equals(only.text("why")) ? only.text("review_id") : null;
    }

    /** The review that requested changes to the previous content, if this is most likely its next round. */
    private static @Nullable String revised(List<Gate.Checked> refused) {
        String nearest = reviewThat(refused, "other_content");
        JsonObject only = refused.getFirst().answer();
        return only != null && "changes_requested".equals(only.text("status")) ? nearest : null;
    }

    private String passes() {
        if (invocation.arguments().has("--pre-push")) {
            return "'git push' passes";
        }
        boolean staged = range == null && !invocation.arguments().has("--diff");
        return staged ? "'git commit' passes" : "the gate lets it pass";
    }

    private String what() {
        String diff = invocation.arguments().text("--diff");
        String named = invocation.arguments().text("--project");
        String project = named == null ? "" : " --project " + ShellWord.of(named);
        if (diff != null) {
            return " --diff " + ShellWord.of(diff) + project;
        }
        return (range == null ? "" : " --range " + range.expression()) + project;
    }
}
