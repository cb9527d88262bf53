package dev.holdfast.review.diff;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header lines before a file's hunks, and what they mean together: which file it is and what is done to it.
 *
 * <p>Names come from the least ambiguous line: {@code rename from}, then {@code diff --git a/x b/x} if it has the same
 * name twice, then {@code ---} and {@code +++}. Contradictory lines are refused, as git does.
 */
final class FileHeader {
    private static final String NOTHING = "/dev/null";

    private final int line;
    private final @Nullable String gitLine;
    private @Nullable String oldMode;
    private @Nullable String newMode;
    private boolean created;
    private boolean deleted;
    private boolean copied;
    private @Nullable String movedFrom;
    private @Nullable String movedTo;
    private @Nullable String blobs;
    private @Nullable String keptMode;
    private @Nullable String oldName;
    private @Nullable String newName;
    private boolean prefixed;
    private boolean oddFolders;
    private boolean escapes;

    FileHeader(int line, @Nullable String gitLine) {
        this.line = line;
        this.gitLine = gitLine;
        this.escapes = gitLine != null && PathText.keepsEscapes(gitLine);
    }

    @Nullable
    String blobs() {
        return blobs;
    }

    /** Whether the names in the text have one more leading folder than the paths. */
    boolean isPrefixed() {
        return prefixed;
    }

    /** Reads one of git's extended header lines; returns false if it is not one. */
    boolean take(String header) {
        if (header.startsWith("old mode ")) {
            oldMode = header.substring("old mode ".length());
        } else if (header.startsWith("new mode ")) {
            newMode = header.substring("new mode ".length());
        } else if (header.startsWith("new file mode ")) {
            created = true;
            newMode = header.substring("new file mode ".length());
        } else if (header.startsWith("deleted file mode ")) {
            deleted = true;
            oldMode = header.substring("deleted file mode ".length());
        } else if (header.startsWith("rename from ")) {
            movedFrom = name(header.substring("rename from ".length()));
        } else if (header.startsWith("rename to ")) {
            movedTo = name(header.substring("rename to ".length()));
        } else if (header.startsWith("copy from ")) {
            copied = true;
            movedFrom = name(header.substring("copy from ".length()));
        } else if (header.startsWith("copy to ")) {
            copied = true;
            movedTo = name(header.substring("copy to ".length()));
        } else if (header.startsWith("index ")) {
            String[] words = header.substring("index ".length()).split(" ", 2);
            blobs = words[0];
            keptMode = words.length == 2 ? words[1] : null;
        } else {
            return header.startsWith("similarity index ") || header.startsWith("dissimilarity index ");
        }
        return true;
    }

    private String name(String text) {
        escapes |= PathText.keepsEscapes(text);
        return PathText.read(text);
    }

    void oldName(String name) {
        created |= gitLine == null && PathText.saysNeverWas(name);
        oldName = PathText.beforeTab(name);
        created |= oldName.equals(NOTHING);
    }

    void newName(String name) {
        deleted |= gitLine == null && PathText.saysNeverWas(name);
        newName = PathText.beforeTab(name);
        deleted |= newName.equals(NOTHING);
    }

    FileChange file(FileChange.@Nullable Binary binary, List<Hunk> hunks) {
        if (created && deleted) {
            throw new BadDiffException(line, "a file cannot be created and deleted at once");
        }
        String from;
        String to;
        if ((movedFrom == null) != (movedTo == null)) {
            throw new BadDiffException(line, "a rename or copy must name both the old and the new path");
        }
        if (movedFrom != null && movedTo != null) {
            from = movedFrom;
            to = movedTo;
            prefixed = gitLine == null || !PathText.startsWithName(gitLine, from);
        } else {
            PathText.Names names = names();
            from = names.from();
            to = names.to();
            prefixed = names.prefixed();
            oddFolders = gitLine != null && names.odd();
        }
        refuse(oldName, from);
        refuse(newName, to);
        return new FileChange(
                operation(from, to, binary != null || !hunks.isEmpty()),
                created ? null : from,
                deleted ? null : to,
                oldMode,
                newMode,
                oldBlob(),
                keptMode,
                spelling(),
                binary,
                hunks);
    }

    /**
     * In {@code docs/x doc/x} a reader takes the folder for part of the path, whereas {@code git apply} strips it; so
     * this is not the same as {@code a/x b/x}. Nor are bytes that are not valid text the same as a name that looks like
     * their escapes.
     */
    private String spelling() {
        return (oddFolders ? "folders " : "") + (escapes ? "escapes" : "");
    }

    private @Nullable String oldBlob() {
        int dots = blobs == null ? -1 : blobs.indexOf("..");
        return blobs == null || dots < 0 ? null : blobs.substring(0, dots);
    }

    private PathText.Names names() {
        PathText.Names names = gitLine == null ? null : PathText.sameNameTwice(gitLine);
        if (names == null && oldName != null && newName != null) {
            names = created
                    ? PathText.only(newName)
                    : deleted ? PathText.only(oldName) : PathText.two(oldName, newName, gitLine != null);
        }
        if (names == null) {
            throw new BadDiffException(line, "this line does not say which file is changed");
        }
        return names;
    }

    /** If the header lines contradicted each other, a reviewer would see one path while another is changed. */
    private void refuse(@Nullable String name, String path) {
        if (gitLine == null || name == null || name.equals(NOTHING)) {
            return;
        }
        oddFolders |= !PathText.isWrittenByGit(name, path);
        if (!name.equals(path) && !PathText.withoutPrefix(name).equals(path)) {
            throw new BadDiffException(
                    line, "the lines of this file's header name different files: " + path + " and " + name);
        }
    }

    private Operation operation(String from, String to, boolean contentChanges) {
        if (created) {
            return Operation.CREATE;
        }
        if (deleted) {
            return Operation.DELETE;
        }
        if (copied) {
            return Operation.COPY;
        }
        if (!from.equals(to)) {
            return Operation.RENAME;
        }
        return newMode != null && !contentChanges ? Operation.MODE_CHANGE : Operation.MODIFY;
    }
}
