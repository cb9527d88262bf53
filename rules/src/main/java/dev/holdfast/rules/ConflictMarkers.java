package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Conflict markers that git left in a file. */
final class ConflictMarkers implements Rule {
    private static final Pattern SIDE = Pattern.compile("(<{7}|>{7}|\\|{7})( .*)?\r?");

    /** The line between the sides; on its own, it underlines a title in many documents. */
    private static final Pattern MIDDLE = Pattern.compile("={7}\r?");

    @Override
    public String name() {
        return "conflict_markers";
    }

    @Override
    public Stream<Violation> check(Change change) {
        return Rules.textFiles(change).flatMap(this::check);
    }

    private Stream<Violation> check(Change.ChangedFile file) {
        List<DiffLine> sides =
                file.added().filter(line -> SIDE.matcher(line.text()).matches()).toList();
        if (sides.isEmpty()) {
            return Stream.empty();
        }
        Stream<DiffLine> middles =
                file.added().filter(line -> MIDDLE.matcher(line.text()).matches());
        return Stream.concat(sides.stream(), middles)
                .map(line -> file.at(
                        line, name(), "a merge conflict marker was left: resolve the conflict and delete the marker"));
    }
}
