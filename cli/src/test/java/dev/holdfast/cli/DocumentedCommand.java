package dev.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command of a page, as somebody would type it.
 *
 * @param text without comment, and {@code holdfast} for {@code ./holdfast}
 * @param comment what the page says of it
 */
record DocumentedCommand(String text, String comment) {
    private static final Pattern BLOCK =
            Pattern.compile("^```(sh|console)\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

    /** Those of all blocks of a page, in order. In a block of a console, they stand behind a dollar sign. */
    static List<DocumentedCommand> of(Path page) throws IOException {
        List<DocumentedCommand> commands = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(page));
        while (block.find()) {
            Stream<String> lines = block.group(2).lines();
            if (block.group(1).equals("console")) {
                lines = lines.filter(line -> line.startsWith("$ ")).map(line -> line.substring(2));
            }
            commands.addAll(joined(lines.toList()));
        }
        return commands;
    }

    /** A command goes on behind a backslash, inside quotes and to the end of a document that it is given. */
    private static List<DocumentedCommand> joined(List<String> lines) {
        List<DocumentedCommand> commands = new ArrayList<>();
        String open = "";
        String end = "";
        for (String line : lines) {
            String whole = open + line;
            Matcher document = Pattern.compile("<<'(\\w+)'").matcher(whole);
            if (end.isEmpty() && document.find()) {
                end = document.group(1);
            }
            if (end.isEmpty() ? isOpen(whole) : !line.equals(end)) {
                open = whole + "\n";
                continue;
            }
            if (!whole.isBlank()) {
                commands.add(of(whole, end.isEmpty()));
            }
            open = "";
            end = "";
        }
        return commands;
    }

    private static boolean isOpen(String text) {
        return text.endsWith("\\") || text.chars().filter(c -> c == '\'').count() % 2 == 1;
    }

    private static DocumentedCommand of(String whole, boolean commented) {
        int comment = commented && !whole.contains("\n") ? commentAt(whole) : -1;
        String text =
                (comment < 0 ? whole : whole.substring(0, comment)).strip().replace("./holdfast", "holdfast");
        return new DocumentedCommand(
                text,
                comment < 0
                        ? ""
                        : whole.substring(comment).replaceFirst("^ ?#", "").strip());
    }

    private static int commentAt(String line) {
        return line.strip().startsWith("#") ? 0 : line.indexOf(" #");
    }

    /** Whether it needs a shell, or is only a program and its words. */
    boolean needsShell() {
        return !text.matches("holdfast [^|<>&;$`\\n]*")
                || text.matches("holdfast (serve|trust|config|rules|mcp|import|export)\\b.*")
                || text.matches(".* (-f|--diff|--counter-patch) .*"); // files are looked for where the process is
    }
}
