package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A verdict written in an editor, as with {@code git commit}: lines that begin with # are ignored.
 *
 * @param file keeps what was written until the broker has accepted it
 */
record VerdictDraft(Path file, Remarks remarks, String reason) {
    private static final Pattern RESOLVE = Pattern.compile("resolve (f\\d+)");
    private static final Pattern WAIVE = Pattern.compile("waive (f\\d+: .+)");
    private static final Pattern HUNK = Pattern.compile("@@ -\\d+(?:,\\d+)? \\+(\\d+)(?:,\\d+)? @@.*");

    void discard() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException kept) {
            // a leftover in the temporary folder
        }
    }

    static VerdictDraft write(Shell shell, String verdict, JsonObject proposal) {
        try {
            Path file = Files.createTempFile("holdfast-verdict-", ".txt");
            Files.writeString(file, template(verdict, proposal));
            edit(shell, file);
            return read(file, Files.readString(file));
        } catch (IOException e) {
            throw Failure.failed("cannot write a verdict in an editor: " + IoReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted", e);
        }
    }

    private static void edit(Shell shell, Path file) throws IOException, InterruptedException {
        String editor = Objects.requireNonNullElse(
                shell.variable("VISUAL"), Objects.requireNonNullElse(shell.variable("EDITOR"), "vi"));
        // the user's variable may contain options, so a shell parses it, as git does
        Process process = new ProcessBuilder(
                        Program.required(shell, "sh"), "-c", editor + " \"$1\"", editor, file.toString())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw Failure.invalid(
                    "the editor '" + editor + "' ended with an error; no verdict was given (your text: " + file + ")");
        }
    }

    private static VerdictDraft read(Path file, String text) {
        Remarks remarks = new Remarks(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<String> reason = new ArrayList<>();
        boolean afterFinding = false;
        for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
            Matcher resolve = RESOLVE.matcher(line.strip());
            Matcher waive = WAIVE.matcher(line.strip());
            boolean continued = afterFinding && line.startsWith(">");
            afterFinding = continued || line.startsWith("finding ");
            if (continued) {
                remarks.suggestForLast(
                        line.length() > 1 && line.charAt(1) == ' ' ? line.substring(2) : line.substring(1));
            } else if (afterFinding) {
                remarks.raise(
                        "a finding (in " + file + ")",
                        line.substring("finding ".length()).strip());
            } else if (resolve.matches()) {
                remarks.resolved().add(resolve.group(1));
            } else if (waive.matches()) {
                remarks.waive("waive", waive.group(1));
            } else {
                reason.add(line);
            }
        }
        return new VerdictDraft(file, remarks, String.join("\n", reason).strip());
    }

    private static String template(String verdict, JsonObject proposal) {
        StringBuilder text = new StringBuilder("\n\n");
        comment(text, "Your verdict on " + JsonText.shortId(proposal, "id") + ": " + verdict);
        comment(
                text,
                "Explain your verdict above. Lines that begin with # are left out; with nothing left, no verdict is given.");
        comment(text, "");
        comment(text, "To point at a line, write on a separate line (without the #):");
        comment(text, "  finding src/a.py:12:must_fix:what is wrong     (or should_fix, note)");
        comment(text, "  > what to write instead, if you know");
        comment(text, "  resolve f1                                     one of your own that is fixed");
        comment(text, "  waive f2: why it can stay as it is             someone else's");
        List<JsonObject> findings = proposal.objects("findings");
        if (!findings.isEmpty()) {
            comment(text, "");
            comment(text, "Findings so far:");
            for (JsonObject finding : findings) {
                comment(
                        text,
                        "  " + JsonText.text(finding, "id") + " " + JsonText.text(finding, "severity") + " "
                                + JsonText.text(finding, "status") + " " + FindingText.place(finding) + " "
                                + JsonText.text(finding, "message"));
            }
        }
        comment(text, "");
        numbered(text, Objects.requireNonNullElse(proposal.text("diff"), "no diff"));
        return text.toString();
    }

    /** With the numbers of the new lines, which findings need. */
    private static void numbered(StringBuilder text, String diff) {
        int next = 0;
        for (String line : diff.lines().toList()) {
            Matcher hunk = HUNK.matcher(line);
            boolean counts = next > 0 && (line.isEmpty() || line.charAt(0) == '+' || line.charAt(0) == ' ');
            if (line.startsWith("diff ") || (line.startsWith("--- ") && !counts)) {
                next = 0;
            }
            comment(text, (counts ? String.format("%5d ", next) : "      ") + line);
            next = hunk.matches() ? Integer.parseInt(hunk.group(1)) : counts ? next + 1 : next;
        }
    }

    private static void comment(StringBuilder text, String line) {
        text.append(line.isEmpty() ? "#" : "# ").append(line).append('\n');
    }
}
