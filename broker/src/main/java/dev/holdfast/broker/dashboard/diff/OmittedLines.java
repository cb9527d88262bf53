package dev.holdfast.broker.dashboard.diff;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines that a diff leaves out and somebody wants to see. They replace the row that offered them.
 *
 * @param above those that follow the lines above
 * @param rest what is still left out, with the heading of the lines below; null: nothing
 * @param below those that precede the lines below
 */
public record OmittedLines(List<DiffRow> above, DiffRow.@Nullable Head rest, List<DiffRow> below) {
    /** Which lines of a gap are wanted. */
    public enum Take {
        /** Some that follow the lines above. */
        DOWN,
        /** Some that come before the lines below. */
        UP,
        ALL
    }

    /**
     * @param file as the diff shows it
     * @param lines the lines of the file before the change
     * @param wanted a part of one of its gaps
     * @throws IllegalArgumentException if there is no such gap
     */
    public static OmittedLines of(FileView file, List<String> lines, Gap wanted, Take take, boolean beside) {
        DiffRow.Head head = file.rows().stream()
                .filter(row -> row instanceof DiffRow.Head one
                        && one.above() != null
                        && one.above().has(wanted))
                .map(DiffRow.Head.class::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the diff does not leave out such lines"));
        int shift = head.above() == null ? 0 : head.above().shift();
        int last = Math.min(wanted.to(), lines.size());
        int size = last - wanted.from() + 1;
        int shown = Math.min(size, take == Take.ALL ? Gap.MAX : Gap.STEP);
        if (take == Take.UP) {
            Gap rest = new Gap(wanted.from(), last - shown, shift);
            return new OmittedLines(
                    List.of(),
                    rest.size() > 0 ? new DiffRow.Head(head.says(), rest) : null,
                    Rows.leftOut(file.path(), lines, new Gap(last - shown + 1, last, shift), beside));
        }
        Gap rest = new Gap(wanted.from() + shown, wanted.to(), shift);
        return new OmittedLines(
                Rows.leftOut(file.path(), lines, new Gap(wanted.from(), wanted.from() + shown - 1, shift), beside),
                shown < size ? new DiffRow.Head(head.says(), rest) : null,
                List.of());
    }
}
