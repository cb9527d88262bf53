package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.review.diff.FileChange;
import org.jspecify.annotations.Nullable;

/** What a file's mode makes of it. A link's target and a submodule's commit look like a file's lines. */
enum FileKind {
    FILE("plain file"),
    EXECUTABLE("executable"),
    LINK("symbolic link"),
    SUBMODULE("submodule"),
    /** Git has no such mode, or the diff does not say. */
    OTHER("");

    private static final int TYPE = 0170000;
    private static final int MAY_RUN = 0111;

    private final String word;

    FileKind(String word) {
        this.word = word;
    }

    /** As git reads it: an octal number, however many zeros it begins with. */
    private static FileKind of(@Nullable String mode) {
        String digits = mode == null ? "" : mode.strip().replaceFirst("^0+", "");
        if (!digits.matches("[0-7]{1,9}")) {
            return OTHER;
        }
        int bits = Integer.parseInt(digits, 8);
        return switch (bits & TYPE) {
            case 0120000 -> LINK;
            case 0160000 -> SUBMODULE;
            case 0100000 -> (bits & MAY_RUN) == 0 ? FILE : EXECUTABLE;
            default -> OTHER;
        };
    }

    /** What kind of file this is, or becomes; empty: a plain file, before and after. */
    static String words(FileChange change) {
        String before = change.oldMode() == null ? change.keptMode() : change.oldMode();
        String after = change.newMode() == null ? change.keptMode() : change.newMode();
        return switch (change.operation()) {
            case CREATE -> alone(after);
            case DELETE -> alone(before);
            case MODIFY, RENAME, COPY, MODE_CHANGE -> {
                String was = word(before);
                String is = word(after);
                if (was.equals(is)) {
                    yield alone(after);
                }
                yield was.isEmpty() ? "now " + is : was + " → " + (is.isEmpty() ? "unknown" : is);
            }
        };
    }

    private static String alone(@Nullable String mode) {
        return of(mode) == FILE ? "" : word(mode);
    }

    private static String word(@Nullable String mode) {
        FileKind kind = of(mode);
        if (kind != OTHER) {
            return kind.word;
        }
        return mode == null ? "" : "mode " + VisibleText.line(mode);
    }
}
