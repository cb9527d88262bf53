package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.work.beads.Beads;
import dev.holdfast.work.beads.BeadsExport;
import dev.holdfast.work.beads.BeadsReport;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Importing and exporting work items in the format of beads, in parts: {@code import_work export_work}. */
record BeadsVerbs(Shapes shapes, Beads beads) {
    private static final int MAX_LINES = 2_000;
    private static final int MAX_PROBLEMS = 100;
    private static final int USUAL_LINES = 1_000;

    @Definition(name = "import_work", effect = VerbEffect.CHANGE, description = """
                    Import lines of a beads export (.beads/issues.jsonl). Repeating it updates only what has changed there. Send \
                    large exports in parts, with more: true on all but the last; no item is offered before that. \
                    Example: {"lines": "{\\"id\\":\\"bd-1\\",\\"title\\":\\"x\\"}\\n"}""")
    record ImportWork(
            @Field(value = "one JSON object per line, at most " + MAX_LINES + " of them", upTo = Limit.HALF_BODY)
            String lines,

            @Field("default queue for items without one") @Nullable
            String queue,

            @Field("more parts follow") boolean more) {}

    record ImportedWork(
            @Field("items that are new") long created,

            @Field("items that have changed") long updated,

            @Field("items that have not changed") long unchanged,

            @Field("other lines, kept for the next export") long memories,

            @Field("headers and tombstones") long skipped,

            @Field("lines not imported as they are") int problemsTotal,

            @Field("the first " + MAX_PROBLEMS + " of them") List<Problem> problems) {}

    record Problem(
            @Field(value = "its number in this part", min = 1)
            long line,

            @Field(value = "what is wrong", upTo = Limit.HALF_BODY)
            String problem) {}

    @Definition(name = "export_work", effect = VerbEffect.READ, description = """
                    Export work items as lines that beads reads; imported items that have not changed here are exported byte for \
                    byte. Continue with next_cursor until there is none. Example: {}""")
    record ExportWork(
            @WorkFields.OfQueue @Nullable String queue,

            @Field(value = "maximum number of lines", min = 1, upTo = Limit.PAGE) @Nullable
            Integer limit,

            @CommonFields.Cursor @Nullable String cursor) {}

    record ExportedWork(
            @Field(value = "one JSON object per line", upTo = Limit.HALF_BODY)
            String lines,

            @Field("how many lines") int count,
            @CommonFields.NextCursor @Nullable String nextCursor) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, ImportWork.class, ImportedWork.class, this::take),
                Verb.of(shapes, ExportWork.class, ExportedWork.class, this::give));
    }

    private ImportedWork take(ImportWork given, Call call) {
        List<String> lines = given.lines().lines().toList();
        if (lines.size() > MAX_LINES) {
            throw new InvalidException(
                    "lines has " + lines.size() + " entries; send at most " + MAX_LINES + " per call, with more: true");
        }
        BeadsReport report = beads.importing()
                .take(
                        lines,
                        Objects.requireNonNullElse(given.queue(), ""),
                        given.more(),
                        call.reach().mayName());
        return new ImportedWork(
                report.created(),
                report.updated(),
                report.unchanged(),
                report.memories(),
                report.skipped(),
                report.problems().size(),
                report.problems().stream()
                        .limit(MAX_PROBLEMS)
                        .map(problem -> new Problem(problem.line(), problem.text()))
                        .toList());
    }

    private ExportedWork give(ExportWork given, Call call) {
        int max = Objects.requireNonNullElse(
                given.limit(), Math.min(USUAL_LINES, shapes.bounds().limits().longestList()));
        BeadsExport.Part part = beads.exporting()
                .part(
                        given.queue(),
                        max,
                        Math.toIntExact(shapes.bounds().of(Limit.HALF_BODY)),
                        given.cursor(),
                        call.reach().everything() ? null : call.reach()::seesWork);
        return new ExportedWork(
                part.lines().isEmpty() ? "" : String.join("\n", part.lines()) + "\n",
                part.lines().size(),
                part.next());
    }
}
