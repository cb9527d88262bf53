package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a page shows of a change, however large: a limited number of files, and the lines of as many of them as keep the
 * page light, but not of files that nobody writes by hand. The lines of the others are loaded on request; the other files
 * are on other pages.
 *
 * @param files the files on this page
 * @param whole the numbers of those whose lines it shows
 * @param number of the page, from 1
 * @param found how many files there are on all pages
 */
public record FilePage(List<FileView> files, Set<Integer> whole, int number, int found) {
    static final int FILES = 200;

    /** Shows no files: they are on other pages. */
    static final FilePage NONE = new FilePage(List.of(), Set.of(), 1, 0);

    /** The most characters a page may take, by {@link FileView#weight}. */
    private static final long LIGHT = 800_000;

    /**
     * @param remarked the paths of files with open findings, whose lines take precedence
     * @param open the numbers of files whose lines were asked for
     * @param uncut the numbers of files whose long lines were asked for, too
     */
    static FilePage of(
            ChangeView change, ReviewAddress address, Set<String> remarked, Set<Integer> open, Set<Integer> uncut) {
        String wanted = address.find().toLowerCase(Locale.ROOT);
        List<FileView> found = wanted.isEmpty()
                ? change.files()
                : change.files().stream()
                        .filter(file -> file.path().toLowerCase(Locale.ROOT).contains(wanted))
                        .toList();
        int number = Math.clamp(address.files(), 1, pages(found.size()));
        List<FileView> files = found.subList((number - 1) * FILES, Math.min(found.size(), number * FILES)).stream()
                .map(file -> uncut.contains(file.number()) ? file.uncut() : file)
                .toList();
        Set<Integer> asked = new HashSet<>(open);
        asked.addAll(uncut);
        return new FilePage(files, whole(files, remarked, asked), number, found.size());
    }

    private static Set<Integer> whole(List<FileView> files, Set<String> remarked, Set<Integer> open) {
        Set<Integer> whole = new HashSet<>();
        long left = LIGHT;
        for (FileView file : byNeed(files, remarked)) {
            if (open.contains(file.number())) {
                whole.add(file.number());
            } else if ((!file.folded() || remarked.contains(file.path())) && file.weight() <= left) {
                left -= file.weight();
                whole.add(file.number());
            }
        }
        return whole;
    }

    private static List<FileView> byNeed(List<FileView> files, Set<String> remarked) {
        return Stream.concat(
                        files.stream().filter(file -> remarked.contains(file.path())),
                        files.stream().filter(file -> !remarked.contains(file.path())))
                .toList();
    }

    /** The page that a file is on, by its place among all files. */
    static int pageOf(int place) {
        return place / FILES + 1;
    }

    private static int pages(int files) {
        return Math.max(1, (files + FILES - 1) / FILES);
    }

    public int pages() {
        return pages(found);
    }

    public boolean shows(FileView file) {
        return whole.contains(file.number());
    }

    /** Which files these are, in words. */
    public String words() {
        return pages() == 1
                ? String.format(Locale.ROOT, "%,d", found)
                : String.format(
                        Locale.ROOT,
                        "%,d to %,d of %,d",
                        (number - 1) * FILES + 1,
                        (number - 1) * FILES + files.size(),
                        found);
    }
}
