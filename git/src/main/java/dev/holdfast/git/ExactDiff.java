package dev.holdfast.git;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A change as one fixed text, whatever the user's or the repository's diff settings: what is proposed and what the gate
 * asks about must be identical. With git's defaults, a plain {@code git diff} is identical too, except for binary
 * files. Attributes are those in the change's own {@code .gitattributes}; files in the working tree have no influence.
 */
public final class ExactDiff {
    /** Lines of context around a change, git's default. */
    static final int CONTEXT = 3;

    private static final List<String> FLAGS = List.of(
            "--patch",
            "--binary",
            "--full-index",
            "--no-color",
            "--no-color-moved",
            "--no-ext-diff",
            "--no-textconv",
            "--submodule=short",
            "--ignore-submodules=none", // otherwise a setting could hide that a submodule moves
            "--inter-hunk-context=0",
            "--diff-algorithm=myers",
            "--indent-heuristic",
            "--find-renames=50%",
            "-l1000",
            "--no-relative",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "-O/dev/null");

    /** Git's defaults, fixed here because other versions may have changed them. */
    private static final List<String> SETTINGS = List.of(
            "-c",
            "core.quotePath=true",
            "-c",
            "core.attributesFile=/dev/null",
            "-c",
            "core.looseCompression=1", // for binary patches
            "-c",
            "core.bigFileThreshold=512m",
            "-c",
            "diff.suppressBlankEmpty=false");

    private static final String UNMERGED = "* Unmerged path ";

    private final ObjectStore objects;

    public ExactDiff(ObjectStore objects) {
        this.objects = objects;
    }

    /** From a commit or tree to what is staged. */
    public String staged(String from) {
        return staged(from, CONTEXT);
    }

    /** The same, with the context that identifies its place. */
    public UnambiguousDiff placedStaged(String from) {
        return placed(context -> staged(from, context));
    }

    private String staged(String from, int context) {
        return text(() -> objects.runOnIndex(words(from, context)));
    }

    /** From one commit or tree to another. */
    public String between(String from, String to) {
        objects.readTree(to);
        return sinceRead(from, CONTEXT);
    }

    /** The same, with the context that identifies its place. */
    public UnambiguousDiff placedBetween(String from, String to) {
        objects.readTree(to);
        return placed(context -> sinceRead(from, context));
    }

    private String sinceRead(String from, int context) {
        return text(() -> objects.run(words(from, context)));
    }

    private UnambiguousDiff placed(IntFunction<String> withContext) {
        return UnambiguousDiff.of(new UnambiguousDiff.Source() {
            @Override
            public String diff(int context) {
                return withContext.apply(context);
            }

            @Override
            public List<Optional<byte[]>> contents(List<String> ids) {
                return objects.blobs(ids, Limits.MAX_OUTPUT);
            }

            @Override
            public int digits(List<String> ids) {
                return objects.digits(ids, UnambiguousDiff.MIN_DIGITS);
            }
        });
    }

    private static List<String> words(String from, int context) {
        List<String> words = new ArrayList<>(SETTINGS);
        words.add("diff");
        words.addAll(FLAGS);
        words.add("-U" + context);
        words.add("--cached");
        words.add(from);
        words.add("--");
        return words;
    }

    private static String text(Supplier<GitResult> diff) {
        GitResult answer = answer(diff);
        if (!answer.succeeded()) {
            throw LocalRepository.failed(List.of("diff"), answer);
        }
        String text = text(answer.output());
        if (text.startsWith(UNMERGED) || text.contains("\n" + UNMERGED)) {
            throw new GitFailure("there are unmerged files; resolve them and add them first");
        }
        return text;
    }

    private static GitResult answer(Supplier<GitResult> diff) {
        try {
            return diff.get();
        } catch (GitFailure e) {
            if (e.kind() != GitFailure.Kind.TOO_MUCH) {
                throw e;
            }
            throw new GitFailure(
                    GitFailure.Kind.TOO_MUCH,
                    "the diff has more than " + (Limits.MAX_OUTPUT >> 20)
                            + " MB, too much to review. Split it into smaller commits, each with its own review.",
                    e);
        }
    }

    /** Never guesses: two contents that differ only in invalid UTF-8 would become the same. */
    static String text(byte[] diff) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(diff);
        CharBuffer text = CharBuffer.allocate(diff.length);
        CoderResult result = decoder.decode(bytes, text, true);
        text.flip();
        int nul = text.toString().indexOf('\0');
        if (result.isError() || nul >= 0) {
            String before = nul >= 0 ? text.toString().substring(0, nul) : text.toString();
            throw new GitFailure(file(before) + " is neither UTF-8 nor binary to git, so it cannot be reviewed as text."
                    + " Declare it in .gitattributes: <path> -diff makes it binary,"
                    + " <path> working-tree-encoding=ISO-8859-1 (or another encoding) text.");
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
