package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stray whitespace, changed line endings, and characters that hide what a line says. */
final class Whitespace implements Rule {
    private static final Pattern SPACE_BEFORE_TAB = Pattern.compile("^\\t* +\\t");
    private static final Pattern HIDDEN = Pattern.compile("[\\u202A-\\u202E\\u2066-\\u2069]");

    /** File types in which trailing spaces have a meaning, or belong to somebody else. */
    private static final Set<String> MEANT =
            Set.of("md", "markdown", "mdx", "diff", "patch", "snap", "txt", "csv", "tsv", "svg", "ans");

    @Override
    public String name() {
        return "whitespace";
    }

    @Override
    public Stream<Violation> check(Change change) {
        return Rules.textFiles(change).flatMap(this::check);
    }

    private Stream<Violation> check(Change.ChangedFile file) {
        boolean meant = MEANT.contains(file.name().extension());
        // a moved line that already had them is not this change's fault
        Set<String> before = file.removed().map(DiffLine::text).collect(Collectors.toSet());
        return Stream.of(
                        first(
                                file,
                                line -> !meant && endsWithSpace(line.text()) && !before.contains(line.text()),
                                "spaces at the end of the line"),
                        first(
                                file,
                                line -> !meant
                                        && SPACE_BEFORE_TAB.matcher(line.text()).find(),
                                "a space before a tab"),
                        first(
                                file,
                                line -> HIDDEN.matcher(line.text()).find(),
                                "a character that changes the direction of text: the line is not what it looks like"),
                        lineEnds(file))
                .flatMap(Optional::stream);
    }

    /** One finding for all of a kind in a file: the position of the first, and how many there are. */
    private Optional<Violation> first(Change.ChangedFile file, Predicate<DiffLine> damaged, String what) {
        List<DiffLine> lines = file.added().filter(damaged).toList();
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(file.at(
                        lines.getFirst(),
                        name(),
                        lines.size() == 1 ? what : what + " (and in " + (lines.size() - 1) + " more)"));
    }

    private static boolean endsWithSpace(String text) {
        int last = text.length() - (text.endsWith("\r") ? 2 : 1);
        return last >= 0 && (text.charAt(last) == ' ' || text.charAt(last) == '\t');
    }

    private Optional<Violation> lineEnds(Change.ChangedFile file) {
        long withReturn = file.added().filter(Whitespace::endsWithReturn).count();
        long without = file.added().count() - withReturn;
        boolean before =
                file.lines().stream().anyMatch(line -> line.kind() != DiffLine.Kind.ADDED && endsWithReturn(line));
        boolean mixed = withReturn > 0 && (without > 0 || (!file.created() && !before));
        return mixed
                ? file.added()
                        .filter(Whitespace::endsWithReturn)
                        .findFirst()
                        .map(line -> file.at(
                                line, name(), withReturn + " lines end with CR LF, other lines of the file with LF"))
                : Optional.empty();
    }

    private static boolean endsWithReturn(DiffLine line) {
        return line.text().endsWith("\r");
    }
}
