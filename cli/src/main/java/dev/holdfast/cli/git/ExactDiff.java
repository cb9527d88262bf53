package dev.holdfast.cli.git;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A change as one fixed text, whatever the user's or the repository's configuration says about diffs: what is proposed
 * and what the gate asks about must be the same. With git's own defaults a plain {@code git diff} is the same too, but
 * for binary files.
 */
final class ExactDiff {
    private static final List<String> FLAGS = List.of(
            "--patch",
            "--binary",
            "--full-index",
            "--no-color",
            "--no-color-moved",
            "--no-ext-diff",
            "--no-textconv",
            "--submodule=short",
            "--ignore-submodules=none", // else a setting could hide that a submodule moves
            "-U3",
            "--inter-hunk-context=0",
            "--diff-algorithm=myers",
            "--indent-heuristic",
            "--find-renames=50%",
            "-l1000",
            "--no-relative",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "-O/dev/null");

    private static final String UNMERGED = "* Unmerged path ";

    private final Git git;

    ExactDiff(Git git) {
        this.git = git;
    }

    /** From the last commit, or from nothing where there is none, to what is staged. */
    String staged() {
        return diff(List.of("--cached"));
    }

    String staged(String from) {
        return diff(List.of("--cached", from));
    }

    String between(String from, String to) {
        return diff(List.of(from, to));
    }

    private String diff(List<String> what) {
        List<String> arguments = new ArrayList<>(List.of("diff"));
        arguments.addAll(FLAGS);
        arguments.addAll(what);
        arguments.add("--");
        String text = text(git.ask(arguments).output());
        if (text.startsWith(UNMERGED) || text.contains("\n" + UNMERGED)) {
            throw new GitFailure("there are unmerged files; resolve them and add them first");
        }
        return text;
    }

    /** Never guessed: two contents that differ only in what is no UTF-8 would become one. */
    static String text(byte[] diff) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(diff);
        CharBuffer text = CharBuffer.allocate(diff.length);
        CoderResult result = decoder.decode(bytes, text, true);
        text.flip();
        int nul = text.toString().indexOf('\0');
        if (result.isError() || nul >= 0) {
            String before = nul >= 0 ? text.toString().substring(0, nul) : text.toString();
            throw new GitFailure(file(before) + " is neither UTF-8 nor binary to git, so nobody can review it as text."
                    + " Say what it is in .gitattributes: <path> -diff makes it binary,"
                    + " <path> working-tree-encoding=ISO-8859-1 (or the like) text.");
        }
        return text.toString();
    }

    private static String file(String before) {
        int header = before.lastIndexOf("diff --git ");
        if (header < 0) {
            return "the diff";
        }
        int end = before.indexOf('\n', header);
        return "in " + before.substring(header, end < 0 ? before.length() : end) + ": the file";
    }
}
