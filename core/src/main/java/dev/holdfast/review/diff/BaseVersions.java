package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What each file of a diff was before the change, as far as the diff says: the version from its {@code index} line, and
 * git's hunk headings ({@code @@ -1,2 +1,2 @@ heading}). Includes only files that exist before the change and whose
 * content changes.
 *
 * @param files sorted by path; entries of the same path in the order of the diff
 */
public record BaseVersions(List<Base> files) {
    /** How many digits of an object id a diff has by git's defaults; fewer are not reliable. */
    public static final int DIGITS = 7;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{" + DIGITS + ",64}");

    /**
     * One file.
     *
     * @param path where it is after the change
     * @param oldPath where it was
     * @param version git's id of its content, in full or abbreviated; empty if the diff does not say
     * @param mode if it stays the same; null if it changes, or the diff does not say
     * @param headings of its hunks; empty for a hunk without one
     */
    public record Base(
            String path,
            String oldPath,
            String version,
            @Nullable String mode,
            List<String> headings) {
        /** Whether it was reviewed as the same kind of file, under the same headings. */
        private boolean reads(Base asked) {
            return path.equals(asked.path) && Objects.equals(mode, asked.mode) && hasHeadingsOf(asked);
        }

        /** A heading is the proposer's word for the position: it may be missing, but must not differ from git's. */
        private boolean hasHeadingsOf(Base asked) {
            if (headings.size() != asked.headings.size()) {
                return false;
            }
            for (int at = 0; at < headings.size(); at++) {
                String heading = headings.get(at);
                if (!heading.isEmpty() && !heading.equals(asked.headings.get(at))) {
                    return false;
                }
            }
            return true;
        }

        private boolean isVersionOf(Base asked, int digits) {
            return version.isEmpty()
                    ? asked.version.isEmpty()
                    : !asked.version.isEmpty()
                            && version.length() >= Math.min(digits, asked.version.length())
                            && (version.startsWith(asked.version) || asked.version.startsWith(version));
        }
    }

    /** A file that two diffs change in the same way, in two versions of it. */
    public record Pair(String oldPath, String reviewed, String asked) {}

    public BaseVersions {
        files = List.copyOf(files);
    }

    public static BaseVersions of(Diff diff) {
        return new BaseVersions(diff.files().stream()
                .filter(FileChange::hasBase)
                .map(file -> new Base(
                        file.path(),
                        String.valueOf(file.oldPath()),
                        version(file),
                        file.keptMode(),
                        file.hunks().stream().map(Hunk::section).toList()))
                .sorted(Comparator.comparing(Base::path))
                .toList());
    }

    static String version(FileChange file) {
        String id = file.oldBlob();
        return id != null && ID.matcher(id).matches() ? id : "";
    }

    /**
     * Whether what was reviewed is at the position that is asked for: the same versions, and no different headings.
     *
     * @param digits how many digits of an id are needed to be unique; the reviewed ids must have at least that many
     */
    public boolean isAtAskedPosition(BaseVersions asked, int digits) {
        return reads(asked, (reviewed, other) -> reviewed.isVersionOf(other, digits));
    }

    /** Whether only the versions differ from what is asked for; otherwise the change cannot have moved from here. */
    public boolean mayMoveTo(BaseVersions asked) {
        return reads(asked, (_, _) -> true);
    }

    private boolean reads(BaseVersions asked, BiPredicate<Base, Base> also) {
        if (files.size() != asked.files.size()) {
            return false;
        }
        for (int at = 0; at < files.size(); at++) {
            Base file = files.get(at);
            Base other = asked.files.get(at);
            if (!file.reads(other) || !also.test(file, other)) {
                return false;
            }
        }
        return true;
    }

    /** Pairs the versions of both, file by file, for diffs with the same change. */
    public List<Pair> beside(BaseVersions asked) {
        List<Pair> pairs = new ArrayList<>();
        for (int at = 0; at < Math.min(files.size(), asked.files.size()); at++) {
            Base file = files.get(at);
            pairs.add(new Pair(file.oldPath, file.version, asked.files.get(at).version));
        }
        return pairs;
    }
}
