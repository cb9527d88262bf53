package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.review.reading.Part;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The numbers of the files that have been read.
 *
 * @param whole files of the whole round
 * @param shown files of what the page shows
 */
record ReadFiles(Set<Integer> whole, Set<Integer> shown) {
    static final ReadFiles NONE = new ReadFiles(Set.of(), Set.of());

    static ReadFiles of(List<Part> parts, ShownChange change) {
        Set<Integer> whole = numbers(
                change.whole(),
                file -> parts.stream().anyMatch(part -> part.from() <= file.from() && part.to() >= file.to()));
        if (change.against() == null) {
            return new ReadFiles(whole, whole);
        }
        Set<String> paths = change.whole().files().stream()
                .filter(file -> whole.contains(file.number()))
                .map(FileView::path)
                .collect(Collectors.toSet());
        return new ReadFiles(whole, numbers(change.change(), file -> paths.contains(file.path())));
    }

    private static Set<Integer> numbers(ChangeView change, Predicate<FileView> read) {
        return change.files().stream().filter(read).map(FileView::number).collect(Collectors.toSet());
    }
}
