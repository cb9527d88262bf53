package dev.holdfast.review.diff;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a diff as {@code git apply} does: text between the files (mails, commit messages, signatures) is skipped, and
 * hunks are as long as their headers say. It is stricter in one respect: it refuses lines beyond a hunk's count. Git
 * would silently drop them, and a reviewer would approve something that is never applied.
 */
final class DiffParser {
    private final String whole;
    private final DiffText text;
    private final HunkReader hunks;
    private final List<FileChange> files = new ArrayList<>();
    private final List<Integer> starts = new ArrayList<>();
    private int start;
    private boolean prefixed;
    private boolean binaryUnended;

    DiffParser(String whole) {
        this.whole = whole;
        this.text = new DiffText(whole);
        this.hunks = new HunkReader(text);
    }

    Diff parse() {
        if (whole.isBlank()) {
            throw text.bad("the diff is empty; send the output of git diff");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(whole)) {
            throw text.bad("the text contains half a character (an unpaired surrogate); send it as UTF-8");
        }
        while (!text.atEnd()) {
            between();
        }
        if (files.isEmpty()) {
            throw new BadDiffException(1, nothingFound());
        }
        return new Diff(whole, whole + cutOff(), files, starts, prefixed ? 1 : 0);
    }

    private void between() {
        start = text.at();
        if (text.startsWith("diff --git ")) {
            gitFile();
        } else if (text.startsWith("--- ") && plainFileAhead()) {
            plainFile();
        } else if (saysBinary()) {
            plainBinary();
        } else if (text.startsWith("diff --cc ") || text.startsWith("diff --combined ") || text.startsWith("@@@ -")) {
            throw text.bad(
                    "this is a combined diff of a merge, which cannot be applied; send the diff against one parent"
                            + " (git diff <parent> <merge>)");
        } else if (hunks.isAhead()) {
            throw text.bad("a hunk without the lines that name its file (--- and +++)");
        } else {
            text.skip();
        }
    }

    private boolean plainFileAhead() {
        return text.aheadStartsWith(1, "+++ ") && text.aheadStartsWith(2, "@@ -");
    }

    private void gitFile() {
        FileHeader header = new FileHeader(text.number(), text.header().substring("diff --git ".length()));
        text.skip();
        while (!text.atEnd() && header.take(text.header())) {
            text.skip();
        }
        FileChange.@Nullable Binary binary = null;
        List<Hunk> read = List.of();
        if (text.startsWith("GIT binary patch")) {
            text.skip();
            binary = new FileChange.Binary(binaryPatch(), header.blobs());
        } else if (saysBinary()) {
            text.skip();
            binary = new FileChange.Binary(null, header.blobs());
        } else if (text.startsWith("--- ")) {
            names(header);
            read = hunks.read();
        }
        add(header, binary, read);
    }

    private void plainFile() {
        FileHeader header = new FileHeader(text.number(), null);
        names(header);
        add(header, null, hunks.read());
    }

    private boolean saysBinary() {
        return text.startsWith("Binary files ") && text.header().endsWith(" differ");
    }

    /** {@code diff -r} names two binary files in one line; the split is where both halves are the same name. */
    private void plainBinary() {
        String line = text.header();
        int from = "Binary files ".length();
        String names = line.substring(from, Math.max(from, line.length() - " differ".length()));
        int middle = (names.length() - " and ".length()) / 2;
        int and = names.startsWith(" and ", middle) ? middle : names.indexOf(" and ");
        if (and > 0) {
            FileHeader header = new FileHeader(text.number(), null);
            header.oldName(names.substring(0, and));
            header.newName(names.substring(and + " and ".length()));
            add(header, new FileChange.Binary(null, null), List.of());
        }
        text.skip();
    }

    private void names(FileHeader header) {
        header.oldName(text.header().substring(4));
        text.skip();
        if (!text.startsWith("+++ ")) {
            throw text.bad("a line that starts with +++ and names the new file is expected here");
        }
        header.newName(text.header().substring(4));
        text.skip();
    }

    private void add(FileHeader header, FileChange.@Nullable Binary binary, List<Hunk> read) {
        files.add(header.file(binary, read));
        starts.add(start);
        prefixed |= header.isPrefixed();
    }

    /**
     * Reads what follows {@code GIT binary patch}: the forward patch and usually the reverse one, each ended by an
     * empty line.
     */
    private String binaryPatch() {
        int from = text.at();
        if (!startsBinaryBlock()) {
            throw text.bad("a binary patch starts with \"literal\" or \"delta\" and a size; use git diff --binary");
        }
        int to = from;
        while (startsBinaryBlock()) {
            text.skip();
            while (!text.atEnd() && !text.isBlank()) {
                if (!isBinaryData(text.header())) {
                    throw text.bad(
                            "this is not a line of a binary patch, and the patch before it does not end with an empty line");
                }
                text.skip();
            }
            to = text.at();
            binaryUnended = text.atEnd();
            if (!text.atEnd()) {
                text.skip();
            }
        }
        return whole.substring(from, to).stripTrailing().replace("\r\n", "\n");
    }

    private boolean startsBinaryBlock() {
        return text.startsWith("literal ") || text.startsWith("delta ");
    }

    /** A letter for the length, then groups of five characters. */
    private static boolean isBinaryData(String line) {
        char length = line.charAt(0);
        boolean letter = (length >= 'A' && length <= 'Z') || (length >= 'a' && length <= 'z');
        return letter && line.length() > 1 && (line.length() - 1) % 5 == 0;
    }

    private String cutOff() {
        String newline = text.endsWithNewline() ? "" : "\n";
        if (binaryUnended) {
            return newline + "\n";
        }
        return newline + " \n".repeat(hunks.restored());
    }

    private String nothingFound() {
        if (whole.contains("\u001b[")) {
            return "the text contains colour codes, so no file was found in it; use git diff --no-color";
        }
        return "no changed file was found in the text; send the output of git diff, with its file headers";
    }
}
