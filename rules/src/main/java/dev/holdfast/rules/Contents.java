package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.FileChange;
import dev.holdfast.review.diff.Operation;
import java.util.List;
import java.util.Optional;

/** Provides whole files: a diff shows only part of those that it changes. */
public interface Contents {
    /** The file after the change; empty when it cannot be known. */
    Optional<String> after(FileChange file, List<DiffLine> lines);

    /** Without a folder: only files that the diff creates are known. */
    Contents OF_THE_DIFF = (file, lines) ->
            file.operation() == Operation.CREATE && file.binary() == null ? Optional.of(text(lines)) : Optional.empty();

    /** The lines after the change, as text. */
    static String text(List<DiffLine> lines) {
        StringBuilder text = new StringBuilder();
        for (DiffLine line : lines) {
            if (line.kind() != DiffLine.Kind.REMOVED) {
                text.append(line.text()).append(line.noNewline() ? "" : "\n");
            }
        }
        return text.toString();
    }
}
