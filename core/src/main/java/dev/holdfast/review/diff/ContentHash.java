package dev.holdfast.review.diff;

import dev.holdfast.store.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content hash of a change: what a verdict is bound to. Works like git's patch-id, but keeps whitespace, context,
 * modes, binary content and positions.
 *
 * <ul>
 *   <li>Ignored: git's path prefixes, the order of the files, anything between them (mails, messages), and a missing
 *       newline at the end of the text. Hunk headings after {@code @@} are compared separately, for approvals ({@link
 *       BaseVersions}).
 *   <li>Included: each added, removed and context line with its whitespace and line ending; the start lines of each
 *       hunk; the version of the file that it is based on, binary or not (the first seven digits of its id in the
 *       {@code index} line); the order of hunks in a file; paths; modes, even unchanged ones; renames and copies as
 *       such; binary patches. So {@code -U0}, {@code -w} or {@code --no-renames} give the same change a different
 *       revision.
 *   <li>Of a binary file without its patch ({@code git diff} without {@code --binary}) the blob ids of the {@code
 *       index} line are used, however short they are: a gate should run git with {@code --binary}.
 * </ul>
 *
 * The same lines may occur at several positions in a file, and approval for one position is not approval for the
 * others; hence the line numbers, and the version that they refer to. The same change at any position has the same
 * {@link #wherever}.
 *
 * @param value {@code r2:} and 64 hexadecimal digits; {@code r1:} for one without positions
 */
public record ContentHash(String value) {
    private static final Pattern SHAPE = Pattern.compile("r[12]:[0-9a-f]{64}");

    public ContentHash {
        if (!isRevision(value)) {
            throw new IllegalArgumentException("not a revision: " + value);
        }
    }

    /** Whether a text has the form of a revision. */
    public static boolean isRevision(String text) {
        return SHAPE.matcher(text).matches();
    }

    public static ContentHash of(Diff diff) {
        return new ContentHash("r2:" + hash(diff, true));
    }

    /**
     * The same for all instances of a change, whatever their line numbers. Before {@code r2:} this was the revision.
     */
    public static ContentHash wherever(Diff diff) {
        return new ContentHash("r1:" + hash(diff, false));
    }

    private static String hash(Diff diff, boolean placed) {
        Hash hash = new Hash();
        new TreeMap<>(diff.byPath()).values().forEach(changes -> add(changes, placed, hash));
        return hash.hex();
    }

    private static void add(List<FileChange> changes, boolean placed, Hash hash) {
        for (FileChange file : changes) {
            hash.field(file.operation().word());
            hash.field(file.oldPath());
            hash.field(file.newPath());
            hash.field(file.oldMode());
            hash.field(file.newMode());
            FileChange.Binary binary = file.binary();
            hash.field(binary == null ? null : binary.patch() != null ? binary.patch() : "blobs " + binary.blobs());
            if (!file.spelling().isEmpty()) {
                hash.field(file.spelling());
            }
            if (placed && file.hasBase()) {
                String version = BaseVersions.version(file);
                hash.field(version.isEmpty() ? null : version.substring(0, BaseVersions.DIGITS));
                hash.field(file.keptMode());
            }
            hash.number(file.hunks().size());
            for (Hunk hunk : file.hunks()) {
                if (placed) {
                    hash.number(hunk.oldStart());
                    hash.number(hunk.newStart());
                }
                hash.field(canonical(hunk.body()));
            }
        }
    }

    /**
     * Writes empty context lines with their space, and the missing-newline marker in one fixed wording, because git
     * translates it.
     */
    private static String canonical(String body) {
        if (!body.startsWith("\n")
                && !body.startsWith("\r")
                && !body.contains("\n\n")
                && !body.contains("\n\r")
                && !body.contains("\n\\")) {
            return body;
        }
        StringBuilder canonical = new StringBuilder(body.length() + 64);
        for (int at = 0; at < body.length(); ) {
            int end = body.indexOf('\n', at);
            switch (body.charAt(at)) {
                case '\\' -> canonical.append("\\\n");
                case '\n', '\r' -> canonical.append(' ').append(body, at, end + 1);
                default -> canonical.append(body, at, end + 1);
            }
            at = end + 1;
        }
        return canonical.toString();
    }

    @Override
    public String toString() {
        return value;
    }

    /** Hashes each field with its length, so that no content can imitate a field boundary. */
    private static final class Hash {
        private final MessageDigest digest = Sha256.digest();

        void field(@Nullable String text) {
            if (text == null) {
                number(-1);
                return;
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            number(bytes.length);
            digest.update(bytes);
        }

        void number(int number) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
        }

        String hex() {
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}
