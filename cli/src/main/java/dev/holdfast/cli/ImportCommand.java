package dev.holdfast.cli;

import dev.holdfast.cli.predecessor.BadFileException;
import dev.holdfast.cli.predecessor.ReviewFile;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Takes over the reviews of gsd-review-broker. */
final class ImportCommand implements Command.Action {
    static final Command DEFINITION = new Command(
            "import gsd-review-broker",
            "Take over the reviews in a database file of gsd-review-broker.",
            """
            With rounds, diffs, verdicts, counter-patches, messages, events and claims. The file is only read, also while its \
            broker still runs. Run it as often as you like: nothing comes twice, what changed only in the file is brought up to \
            date, and what changed here since stays as it is here.
            Exit code 1: some reviews could not be taken over; the report names each with the reason. 2: it is no such file, or \
            damaged; nothing was changed.""",
            List.of(Parameter.required(
                    "FILE", "The file; usually ~/.config/gsd-review-broker/codex_review_broker.sqlite3.")),
            List.of(Option.flag("--dry-run", "Only tell what would be done.")),
            List.of(
                    "holdfast import gsd-review-broker codex_review_broker.sqlite3 --dry-run",
                    "holdfast import gsd-review-broker codex_review_broker.sqlite3 --json"),
            new ImportCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        String name = invocation.parameter(0, "FILE");
        boolean dry = invocation.arguments().has("--dry-run");
        ImportReport report = new ImportReport(name, dry);
        try (ReviewFile file = ReviewFile.open(Path.of(name))) {
            ImportBatches batches = new ImportBatches(invocation.broker(), dry, report);
            file.read(found -> {
                switch (found) {
                    case ReviewFile.Found.Review(Map<String, ?> review) -> batches.add(review);
                    case ReviewFile.Found.Unusable(String id, String reason) -> report.refused(id, reason);
                }
            });
            batches.send();
            report.leftBehind(file.leftBehind());
        } catch (BadFileException | InvalidPathException e) {
            throw Failure.invalid(e.getMessage()
                    + (report.reviews() == 0 ? "; nothing was imported" : "; run it again, nothing comes twice"));
        }
        if (invocation.arguments().has("--json")) {
            invocation.printDocument(Json.write(report.json()));
        } else {
            PrintStream out = invocation.shell().out();
            report.lines().forEach(out::println);
        }
        return report.complete() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
