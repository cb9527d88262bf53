package dev.holdfast.rules;

import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.FileChange;
import dev.holdfast.review.diff.Operation;
import dev.holdfast.review.diff.Side;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A change as rules see it: its files, the lines it adds and removes, and whole files where available. */
public record Change(List<ChangedFile> files) {
    /** Longer lines are not meant for people. */
    static final int LONGEST = 5_000;

    public Change {
        files = List.copyOf(files);
    }

    static Change of(Diff diff, Contents contents) {
        return new Change(diff.files().stream()
                .map(file -> new ChangedFile(
                        file,
                        file.hunks().stream()
                                .flatMap(hunk -> hunk.lines().stream())
                                .toList(),
                        contents))
                .toList());
    }

    /** One file's part of it. */
    public record ChangedFile(FileChange change, List<DiffLine> lines, Contents contents) {
        public String path() {
            return change.path();
        }

        FileName name() {
            return new FileName(change.path());
        }

        boolean created() {
            return change.operation() == Operation.CREATE;
        }

        boolean deleted() {
            return change.operation() == Operation.DELETE;
        }

        Stream<DiffLine> added() {
            return lines.stream().filter(line -> line.kind() == DiffLine.Kind.ADDED);
        }

        /** Without lines that no person wrote, which would keep patterns busy for long. */
        Stream<DiffLine> addedByHand() {
            return added().filter(line -> line.text().length() <= LONGEST);
        }

        Stream<DiffLine> removed() {
            return lines.stream().filter(line -> line.kind() == DiffLine.Kind.REMOVED);
        }

        /** The file after the change. */
        Optional<String> after() {
            return contents.after(change, lines);
        }

        Violation at(DiffLine line, String rule, String message) {
            boolean old = line.kind() == DiffLine.Kind.REMOVED;
            return new Violation(
                    rule,
                    path(),
                    old ? Side.OLD : Side.NEW,
                    old ? line.oldNumber() : line.newNumber(),
                    Severity.SHOULD_FIX,
                    message);
        }

        /** A violation about the whole file, reported at its first changed line. */
        Violation atStart(String rule, String message) {
            return lines.stream()
                    .filter(line -> line.kind() != DiffLine.Kind.CONTEXT)
                    .findFirst()
                    .map(line -> at(line, rule, message))
                    .orElseGet(() -> new Violation(rule, path(), Side.NEW, 0, Severity.SHOULD_FIX, message));
        }
    }
}
