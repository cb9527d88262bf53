package dev.holdfast.review.record;

import dev.holdfast.review.diff.AffectedFile;
import dev.holdfast.review.diff.BaseVersions;
import dev.holdfast.review.diff.ContentHash;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.store.Sha256;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The content under review in one revision.
 *
 * @param diff with anything lost at its end restored; null: none
 * @param affectedFiles a JSON array; null if there is no diff
 * @param revision hash of the diff or, if there is none or it cannot be parsed, of the text
 * @param wherever hash of the diff without positions; null if the revision is not the hash of a diff
 * @param bases JSON of the file versions that the diff was made from; null likewise
 * @param problem why the diff cannot be parsed; empty if it can
 */
public record Content(
        String intent,
        @Nullable String description,
        @Nullable String diff,
        @Nullable String affectedFiles,
        String revision,
        @Nullable String wherever,
        @Nullable String bases,
        Optional<String> problem) {
    private static final Pattern TEXT_HASH = Pattern.compile("t1:[0-9a-f]{64}");

    public static Content of(String intent, @Nullable String description, @Nullable String diff) {
        if (diff == null) {
            return new Content(
                    intent, description, null, null, hash(intent + '\0' + description), null, null, Optional.empty());
        }
        return switch (Diff.parse(diff)) {
            case Diff read ->
                new Content(
                        intent,
                        description,
                        read.normalised(),
                        JsonMapper.shared()
                                .writeValueAsString(read.affectedFiles().stream()
                                        .map(AffectedFile::json)
                                        .toList()),
                        ContentHash.of(read).value(),
                        ContentHash.wherever(read).value(),
                        JsonMapper.shared().writeValueAsString(BaseVersions.of(read)),
                        Optional.empty());
            case DiffProblem unreadable ->
                new Content(
                        intent, description, diff, "[]", hash(diff), null, null, Optional.of(unreadable.toString()));
        };
    }

    /** Whether a text has the form of a content hash. */
    public static boolean isRevision(String text) {
        return TEXT_HASH.matcher(text).matches() || ContentHash.isRevision(text);
    }

    /** The diff; call it only if there is one. */
    public String diffText() {
        return Objects.requireNonNull(diff);
    }

    /**
     * Whether earlier content with the same hash is at the same position, so that its approval applies to this one.
     * Hashes leave out hunk headings, which the gate compares.
     */
    public boolean isSamePosition(Revision earlier) {
        if (diff == null || earlier.diff() == null) {
            return true;
        }
        return Diff.parse(diff) instanceof Diff asked
                && Diff.parse(earlier.diff()) instanceof Diff reviewed
                && (BaseVersions.of(reviewed).isAtAskedPosition(BaseVersions.of(asked), BaseVersions.DIGITS)
                        || BaseVersions.of(asked).isAtAskedPosition(BaseVersions.of(reviewed), BaseVersions.DIGITS));
    }

    public Content withDiff(String other) {
        return of(intent, description, other);
    }

    /** Its prefix distinguishes it from the hash of a diff. */
    private static String hash(String text) {
        return "t1:" + Sha256.hex(text);
    }
}
