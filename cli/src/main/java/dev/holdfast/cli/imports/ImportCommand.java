package dev.holdfast.cli.imports;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.imports.predecessor.BadFileException;
import dev.holdfast.cli.imports.predecessor.ReviewFile;
import dev.holdfast.cli.json.Json;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** Imports the reviews of gsd-review-broker. */
public final class ImportCommand implements Command.Action {
    public static final Command DEFINITION = Command.define(
                    "import gsd-review-broker", "Import the reviews in a gsd-review-broker database file.")
            .description("""
            Includes rounds, diffs, verdicts, counter-patches, messages, events and claims. The file is only read, even while \
            its broker is running. You can run it repeatedly: nothing is imported twice, reviews that changed only in the file \
            are updated, and reviews that changed here stay as they are here.
            Exit code 1: some reviews could not be imported; the report lists each with the reason. 2: it is not such a file, \
            or it is damaged; nothing was changed.""")
            .parameters(Parameter.required(
                    "FILE", "The file; usually ~/.config/gsd-review-broker/codex_review_broker.sqlite3."))
            .options(Option.flag("--dry-run", "Only show what would be done."))
            .examples("""
            holdfast import gsd-review-broker codex_review_broker.sqlite3 --dry-run
            holdfast import gsd-review-broker codex_review_broker.sqlite3 --json""")
            .runs(new ImportCommand());

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
                    + (report.reviews() == 0 ? "; nothing was imported" : "; run it again, nothing is imported twice"));
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
