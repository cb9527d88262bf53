package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.beads.Beads;
import dev.holdfast.work.beads.BeadsExport;
import dev.holdfast.work.beads.BeadsReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Work items as beads knows them, part by part: {@code import_work export_work}. */
final class BeadsVerbs {
    private static final int MOST_LINES = 2_000;
    private static final int MOST_PROBLEMS = 100;

    private final Beads beads;
    private final int longest;
    private final int longestList;

    BeadsVerbs(WorkItems work, Limits limits) {
        beads = Beads.of(work);
        longest = limits.bodyBytes() / 2; // a character may take more than one byte, and JSON escapes
        longestList = limits.longestList();
    }

    List<Verb> verbs() {
        return List.of(
                new Verb(
                        "import_work",
                        """
                        Import lines of a beads export (.beads/issues.jsonl). Repeating it updates only what has changed there. Send \
                        large exports in parts, with more: true on all but the last; no item is offered before that. \
                        Example: {"lines": "{\\"id\\":\\"bd-1\\",\\"title\\":\\"x\\"}\\n"}""",
                        List.of(
                                Field.text(
                                                "lines",
                                                longest,
                                                "one JSON object a line, at most " + MOST_LINES + " of them")
                                        .must(),
                                WorkFields.word("queue", "default queue for items without one"),
                                Field.flag("more", "more parts follow")),
                        List.of(
                                count("created", "items that are new"),
                                count("updated", "items that have changed"),
                                count("unchanged", "items that have not changed"),
                                count("memories", "other lines, kept for the next export"),
                                count("skipped", "headers and tombstones"),
                                count("problems_total", "lines not imported as they are"),
                                Field.objects(
                                                "problems",
                                                "the first " + MOST_PROBLEMS + " of them",
                                                List.of(
                                                        Field.integer("line", 1L, null, "its number in this part")
                                                                .must(),
                                                        Field.text("problem", longest, "what is wrong")
                                                                .must()))
                                        .must()),
                        Verb.Nature.CHANGE,
                        this::take),
                new Verb(
                        "export_work",
                        """
                        Export work items as lines that beads reads; imported items that have not changed here, byte for \
                        byte as it came. Go on with next_cursor until there is none. Example: {}""",
                        List.of(
                                WorkFields.QUEUE,
                                Field.integer("limit", 1L, (long) longestList, "maximum number of lines"),
                                Pages.CURSOR),
                        List.of(
                                Field.text("lines", longest, "one JSON object a line")
                                        .must(),
                                count("count", "how many lines"),
                                Pages.NEXT_CURSOR),
                        Verb.Nature.READ,
                        this::give));
    }

    private static Field count(String name, String description) {
        return Field.integer(name, 0L, null, description).must();
    }

    private Answer take(Arguments given) {
        List<String> lines = given.text("lines").lines().toList();
        if (lines.size() > MOST_LINES) {
            throw new InvalidException("lines has " + lines.size() + " entries; send at most " + MOST_LINES
                    + " at a time, with more: true");
        }
        String queue = given.textOrNull("queue");
        BeadsReport report = beads.importing().take(lines, queue == null ? "" : queue, given.flag("more"));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("created", report.created());
        json.put("updated", report.updated());
        json.put("unchanged", report.unchanged());
        json.put("memories", report.memories());
        json.put("skipped", report.skipped());
        json.put("problems_total", report.problems().size());
        json.put(
                "problems",
                report.problems().stream()
                        .limit(MOST_PROBLEMS)
                        .map(problem -> JsonObject.of("line", problem.line(), "problem", problem.text()))
                        .toList());
        return Answer.of(json);
    }

    private Answer give(Arguments given) {
        BeadsExport.Part part = beads.exporting()
                .part(
                        given.textOrNull("queue"),
                        (int) given.number("limit", Math.min(1_000, longestList)),
                        longest,
                        given.textOrNull("cursor"));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("lines", part.lines().isEmpty() ? "" : String.join("\n", part.lines()) + "\n");
        json.put("count", part.lines().size());
        ClaimVerbs.putIfGiven(json, "next_cursor", part.next());
        return Answer.of(json);
    }
}
