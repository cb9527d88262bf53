package dev.holdfast.broker.dashboard.diff;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of a diff. */
public sealed interface DiffRow {
    /**
     * The heading of a run of lines, or the end of a file.
     *
     * @param above the lines that the diff leaves out before it; null: none
     */
    record Head(String says, @Nullable Gap above) implements DiffRow {}

    /**
     * One line, in one column.
     *
     * @param look add, del or ctx
     * @param before its number in the old content; empty: it is not there
     * @param cut how many characters are not shown
     */
    record Line(String look, String sign, String before, String after, List<Span> spans, int cut) implements DiffRow {
        /** The side of the diff that a comment on this line belongs to. */
        public String side() {
            return look.equals("del") ? "old" : "new";
        }

        public String number() {
            return look.equals("del") ? before : after;
        }
    }

    /** Two lines side by side; null: that side has none. */
    record Pair(@Nullable Line left, @Nullable Line right) implements DiffRow {}
}
