package dev.holdfast.cli.imports;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Imports what beads exports, and exports it again. */
public final class BeadsCommands {
    private static final int LINES = 1_000;
    private static final int CHARACTERS = 2_000_000;
    private static final List<String> COUNTS =
            List.of("created", "updated", "unchanged", "memories", "skipped", "problems_total");

    public static final Command IMPORT = Command.define(
                    "import beads", "Import the issues of a beads export as work items.")
            .description("""
            FILE is usually .beads/issues.jsonl; - reads standard input. You can run it repeatedly: nothing is imported twice, and \
            changes made here stay unless beads has changed the item too. Items in progress are held by their assignee.
            Exit code 1: some lines could not be imported as they are; the report lists each with the reason.""")
            .parameters(Parameter.required("FILE", "The export, one JSON object per line."))
            .options(Option.of("--queue", "QUEUE", "The queue for lines that do not name one."))
            .examples("holdfast import beads .beads/issues.jsonl", "holdfast import beads - --queue shop --json")
            .runs(BeadsCommands::take);

    public static final Command EXPORT = Command.define(
                    "export beads", "Write all work items to a file that beads reads.")
            .description("""
            Imported items that have not changed here are written exactly as they were imported, byte for byte. - writes to standard output.""")
            .parameters(Parameter.required("FILE", "The file to write."))
            .options(Option.of("--queue", "QUEUE", "Only items of this queue."))
            .examples("holdfast export beads issues.jsonl", "holdfast export beads -")
            .runs(BeadsCommands::give);

    /** @param number its line number in the file, for error messages */
    private record Line(int number, String text, String createdAt) {}

    private BeadsCommands() {}

    private static ExitCode take(Invocation invocation) {
        List<Line> lines = read(invocation, invocation.parameter(0, "FILE"));
        // across all parts, oldest first: of equally urgent items, the older one is done first
        lines.sort(Comparator.comparing(Line::createdAt));
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        COUNTS.forEach(name -> report.put(name, 0L));
        List<Map<String, @Nullable Object>> problems = new ArrayList<>();
        report.put("problems", problems);
        BrokerClient broker = invocation.broker();
        int from = 0;
        do {
            int until = end(lines, from);
            Reply reply = send(broker, invocation, lines.subList(from, until), until < lines.size());
            if (!reply.accepted()) {
                return invocation.print(reply, (_, _) -> ExitCode.DONE);
            }
            add(report, problems, reply.json(), lines.subList(from, until));
            from = until;
        } while (from < lines.size());
        return print(invocation, report, problems);
    }

    /** The end of what fits into one call. */
    private static int end(List<Line> lines, int from) {
        int characters = 0;
        int until = from;
        while (until < lines.size() && until - from < LINES) {
            characters += lines.get(until).text().length() + 1;
            if (characters > CHARACTERS && until > from) {
                break;
            }
            until++;
        }
        return until;
    }

    private static Reply send(BrokerClient broker, Invocation invocation, List<Line> lines, boolean more) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.text()).append('\n'));
        return broker.call(
                "import_work",
                new Input()
                        .with("lines", text.toString())
                        .with("queue", invocation.arguments().text("--queue"))
                        .with("more", more ? true : null)
                        .fields());
    }

    private static void add(
            Map<String, @Nullable Object> report,
            List<Map<String, @Nullable Object>> problems,
            JsonObject part,
            List<Line> lines) {
        for (String name : COUNTS) {
            Number count = part.number(name);
            Number before = (Number) report.get(name);
            report.put(name, (before == null ? 0 : before.longValue()) + (count == null ? 0 : count.longValue()));
        }
        for (JsonObject problem : part.objects("problems")) {
            Number at = problem.number("line");
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("line", at == null ? 0 : lines.get(at.intValue() - 1).number());
            entry.put("problem", problem.text("problem"));
            problems.add(entry);
        }
    }

    private static ExitCode print(
            Invocation invocation, Map<String, @Nullable Object> report, List<Map<String, @Nullable Object>> problems) {
        if (invocation.arguments().has("--json")) {
            invocation.printDocument(Json.write(report));
        } else {
            PrintStream out = invocation.shell().out();
            out.println(report.get("created") + " created, " + report.get("updated") + " updated, "
                    + report.get("unchanged") + " unchanged, " + report.get("memories") + " other lines kept, "
                    + report.get("skipped") + " skipped");
            for (Map<String, @Nullable Object> problem : problems) {
                invocation
                        .shell()
                        .err()
                        .println("line " + problem.get("line") + ": "
                                + Printable.of(String.valueOf(problem.get("problem"))));
            }
        }
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static List<Line> read(Invocation invocation, String name) {
        String text;
        try {
            text = name.equals("-")
                    ? new String(invocation.shell().in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (IOException | UncheckedIOException | InvalidPathException e) {
            throw Failure.invalid("cannot read " + name + ": " + IoReason.of(e));
        }
        List<Line> lines = new ArrayList<>();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (!line.isBlank()) {
                lines.add(new Line(number, line, createdAt(line)));
            }
        }
        return lines;
    }

    private static String createdAt(String line) {
        try {
            String at = JsonObject.of(Json.read(line)).text("created_at");
            return at == null ? "~" : at;
        } catch (NotJsonException e) {
            return "~"; // the broker reports what is wrong with it
        }
    }

    private static ExitCode give(Invocation invocation) {
        String name = invocation.parameter(0, "FILE");
        BrokerClient broker = invocation.broker();
        StringBuilder all = new StringBuilder();
        String cursor = null;
        long count = 0;
        do {
            Reply reply = broker.call(
                    "export_work",
                    new Input()
                            .with("queue", invocation.arguments().text("--queue"))
                            .with("cursor", cursor)
                            .fields());
            if (!reply.accepted()) {
                return invocation.print(reply, (_, _) -> ExitCode.DONE);
            }
            String lines = reply.json().text("lines");
            all.append(lines == null ? "" : lines);
            Number part = reply.json().number("count");
            count += part == null ? 0 : part.longValue();
            cursor = reply.json().text("next_cursor");
        } while (cursor != null);
        write(invocation, name, all.toString());
        if (invocation.arguments().has("--json") && !name.equals("-")) {
            invocation.printDocument(Json.write(Map.of("lines", count)));
        } else if (!name.equals("-")) {
            invocation.shell().out().println(count + " lines written to " + name);
        }
        return ExitCode.DONE;
    }

    /** Replaces an existing file completely, or not at all. */
    private static void write(Invocation invocation, String name, String text) {
        if (name.equals("-")) {
            invocation.shell().out().writeBytes(text.getBytes(StandardCharsets.UTF_8));
            invocation.shell().out().flush();
            return;
        }
        try {
            Path file = Path.of(name).toAbsolutePath();
            Path beside = Files.createTempFile(file.getParent(), ".holdfast", ".jsonl");
            Files.writeString(beside, text);
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | InvalidPathException e) {
            throw Failure.invalid("cannot write " + name + ": " + IoReason.of(e));
        }
    }
}
