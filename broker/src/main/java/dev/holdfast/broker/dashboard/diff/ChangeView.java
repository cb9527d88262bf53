package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.diff.FileChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A whole change, ready to be read: the riskiest files first.
 *
 * @param problem why it cannot be shown as files; then {@code raw} has its text
 */
public record ChangeView(List<FileView> files, String problem, String raw) {
    /** @param beside old and new in two columns */
    public static ChangeView of(String text, boolean beside) {
        if (text.isEmpty()) {
            return new ChangeView(List.of(), "", "");
        }
        return switch (Diff.parse(text)) {
            case Diff diff -> new ChangeView(files(diff, text, beside), "", "");
            case DiffProblem unreadable -> new ChangeView(List.of(), unreadable.toString(), text);
        };
    }

    public int added() {
        return files.stream().mapToInt(FileView::added).sum();
    }

    public int removed() {
        return files.stream().mapToInt(FileView::removed).sum();
    }

    /** The first file's part includes any text before it; every part runs to the start of the next file. */
    private static List<FileView> files(Diff diff, String text, boolean beside) {
        List<FileView> files = new ArrayList<>();
        int last = diff.files().size() - 1;
        for (int i = 0; i <= last; i++) {
            FileChange file = diff.files().get(i);
            files.add(new FileView(
                    i,
                    file,
                    Risk.of(file.path()),
                    beside,
                    i == 0 ? 0 : diff.starts().get(i),
                    i == last ? text.length() : diff.starts().get(i + 1),
                    Rows.LONGEST));
        }
        files.sort(Comparator.comparingInt(file -> file.risk().rank()));
        return files;
    }
}
