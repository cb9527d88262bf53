package dev.holdfast.git;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hunk headings, the text after {@code @@} in a diff, as git writes them by default: the last line above the hunk that
 * begins with a letter, {@code _} or {@code $}. User settings can make git choose another line
 * ({@code *.py diff=python}); the gate, which runs git without them, would then take the diff for one of another place.
 * Such headings are removed; default ones stay.
 */
public final class HunkHeadings {
    private static final Pattern INDEX = Pattern.compile("index ([0-9a-f]{7,64})\\.\\.[0-9a-f]+.*");

    private static final Pattern HUNK =
            Pattern.compile("(@@ -(\\d{1,9})(?:,(\\d{1,9}))? \\+\\d{1,9}(?:,(\\d{1,9}))? @@)(?: (.*))?");

    /** Git cuts headings at this length. */
    private static final int LONGEST = 80;

    private HunkHeadings() {}

    /** @param objects of the repository in which the diff was made */
    public static String byGitAlone(String diff, ObjectStore objects) {
        List<String> ids = diff.lines()
                .map(INDEX::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .distinct()
                .toList();
        Map<String, List<String>> files = new LinkedHashMap<>();
        List<Optional<byte[]>> found = objects.blobs(ids, Limits.MAX_OUTPUT);
        for (int at = 0; at < found.size(); at++) {
            byte[] content = found.get(at).orElse(new byte[0]);
            files.put(
                    ids.get(at),
                    new String(content, StandardCharsets.UTF_8).lines().toList());
        }
        return rewritten(diff, files);
    }

    private static String rewritten(String diff, Map<String, List<String>> files) {
        List<String> lines = new ArrayList<>(List.of(diff.split("\n", -1)));
        @Nullable List<String> before = null;
        long old = 0;
        long made = 0;
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            if (old > 0 || made > 0) { // lines in a hunk are content, whatever they look like
                old -= line.startsWith("+") || line.startsWith("\\") ? 0 : 1;
                made -= line.startsWith("-") || line.startsWith("\\") ? 0 : 1;
                continue;
            }
            Matcher index = INDEX.matcher(line);
            Matcher hunk = HUNK.matcher(line);
            if (line.startsWith("diff --git ")) {
                before = null;
            } else if (index.matches()) {
                before = files.get(index.group(1));
            } else if (hunk.matches()) {
                old = hunk.group(3) == null ? 1 : Long.parseLong(hunk.group(3));
                made = hunk.group(4) == null ? 1 : Long.parseLong(hunk.group(4));
                int first = Integer.parseInt(hunk.group(2)) - (old == 0 ? 0 : 1);
                String heading = hunk.group(5);
                if (heading != null && !heading.equals(above(before, first))) {
                    lines.set(at, hunk.group(1));
                }
            }
        }
        return String.join("\n", lines);
    }

    /** @param first the index of the hunk's first line, from 0 */
    private static String above(@Nullable List<String> file, int first) {
        if (file == null) {
            return "";
        }
        for (int at = Math.min(first, file.size()) - 1; at >= 0; at--) {
            String line = file.get(at);
            if (!line.isEmpty() && isStart(line.charAt(0))) {
                byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
                return (bytes.length <= LONGEST ? line : new String(bytes, 0, LONGEST, StandardCharsets.UTF_8))
                        .stripTrailing();
            }
        }
        return "";
    }

    private static boolean isStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    }
}
