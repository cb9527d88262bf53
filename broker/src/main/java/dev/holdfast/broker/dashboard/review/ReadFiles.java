package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.review.reading.TextSlice;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The numbers of the files that have been read.
 *
 * @param whole files of the whole round
 * @param shown files of what the page shows
 * @param text whether all of a text was read that is no diff and so has no files
 */
record ReadFiles(Set<Integer> whole, Set<Integer> shown, boolean text) {
    static final ReadFiles NONE = new ReadFiles(Set.of(), Set.of(), false);

    static ReadFiles of(List<TextSlice> parts, ShownChange change) {
        Set<Integer> whole = numbers(
                change.whole(),
                file -> parts.stream().anyMatch(part -> part.from() <= file.from() && part.to() >= file.to()));
        int length = change.whole().raw().length();
        boolean text = parts.stream().anyMatch(part -> part.from() == 0 && part.to() == length);
        if (change.against() == null) {
            return new ReadFiles(whole, whole, text);
        }
        Set<String> paths = paths(change.whole(), file -> whole.contains(file.number()));
        paths.removeAll(paths(change.whole(), file -> !whole.contains(file.number()))); // one path can have two parts
        return new ReadFiles(whole, numbers(change.change(), file -> paths.contains(file.path())), text);
    }

    private static Set<String> paths(ChangeView change, Predicate<FileView> which) {
        return change.files().stream().filter(which).map(FileView::path).collect(Collectors.toCollection(HashSet::new));
    }

    private static Set<Integer> numbers(ChangeView change, Predicate<FileView> read) {
        return change.files().stream().filter(read).map(FileView::number).collect(Collectors.toSet());
    }
}
