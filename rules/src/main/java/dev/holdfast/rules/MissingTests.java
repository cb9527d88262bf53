package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** New code in a change that touches no test. */
final class MissingTests implements Rule {
    /** Fewer new lines than this may well be covered already. */
    private static final int ENOUGH = 20;

    @Override
    public String name() {
        return "untested";
    }

    @Override
    public Stream<Violation> check(Change change) {
        if (change.files().stream().anyMatch(file -> file.name().isTest() && !file.deleted())) {
            return Stream.empty();
        }
        List<Change.ChangedFile> code = Rules.textFiles(change)
                .filter(file -> file.name().isCode() && !file.name().isTest())
                .toList();
        long more = code.stream().mapToLong(MissingTests::grows).sum();
        return more < ENOUGH
                ? Stream.empty()
                : code.stream()
                        .max(Comparator.comparingLong(MissingTests::grows))
                        .map(file -> file.atStart(
                                name(), more + " more lines of code in this change, and no test was changed"))
                        .stream();
    }

    private static long grows(Change.ChangedFile file) {
        return file.added().filter(MissingTests::isCode).count()
                - file.removed().filter(MissingTests::isCode).count();
    }

    /** Comments, imports and lines of brackets need no test. */
    private static boolean isCode(DiffLine line) {
        String text = line.text().strip();
        return text.length() > 2
                && !text.startsWith("//")
                && !text.startsWith("*")
                && !text.startsWith("/*")
                && !text.startsWith("#")
                && !text.startsWith("import ")
                && !text.startsWith("package ");
    }
}
