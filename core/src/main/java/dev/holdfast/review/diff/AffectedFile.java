package dev.holdfast.review.diff;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One file that a proposal touches.
 *
 * @param operation create, delete, modify, rename or copy
 * @param oldPath where the file came from, if it is renamed or copied
 */
public record AffectedFile(
        String path,
        String operation,
        int added,
        int removed,
        @Nullable String oldPath,
        @Nullable String oldMode,
        @Nullable String newMode,
        boolean binary) {
    static AffectedFile of(FileChange file) {
        boolean moved = file.operation() == Operation.RENAME || file.operation() == Operation.COPY;
        return new AffectedFile(
                file.path(),
                file.operation().word(),
                file.added(),
                file.removed(),
                moved ? file.oldPath() : null,
                file.oldMode(),
                file.newMode(),
                file.binary() != null);
    }

    /** Merges this with a later change of the same file: a series of patches, or a file that becomes a link. */
    AffectedFile then(AffectedFile later) {
        return new AffectedFile(
                path,
                then(operation, later.operation),
                added + later.added,
                removed + later.removed,
                oldPath != null ? oldPath : later.oldPath,
                oldMode != null ? oldMode : later.oldMode,
                later.newMode != null ? later.newMode : newMode,
                binary || later.binary);
    }

    private static String then(String first, String later) {
        return switch (later) {
            case "delete" -> later;
            case "modify" -> first;
            default -> first.equals("delete") ? "modify" : later;
        };
    }

    /** Returns the JSON form for clients; fields that do not apply are left out. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("operation", operation);
        json.put("added", added);
        json.put("removed", removed);
        if (oldPath != null) {
            json.put("old_path", oldPath);
        }
        if (oldMode != null) {
            json.put("old_mode", oldMode);
        }
        if (newMode != null) {
            json.put("new_mode", newMode);
        }
        if (binary) {
            json.put("binary", true);
        }
        return json;
    }
}
