package dev.holdfast.cli.git;

import dev.holdfast.git.NoCommit;
import dev.holdfast.git.PlacedDiff;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that is about to go in.
 *
 * @param name for messages
 * @param placed what a person added to what is known to be in order
 * @param onTopOf the commits that it goes on top of; none: it is the beginning, or a diff from elsewhere
 * @param base what is sent to the broker as its base: the first of these commits, or that there is none; null: not known
 */
public record Change(
        String name,
        PlacedDiff placed,
        List<String> onTopOf,
        @Nullable String base) {
    public Change {
        onTopOf = List.copyOf(onTopOf);
    }

    /** What goes on top of these commits, or of nothing. */
    static Change on(List<String> commits, String name, PlacedDiff placed) {
        return new Change(name, placed, commits, commits.isEmpty() ? NoCommit.ID : commits.getFirst());
    }

    /**
     * A diff that somebody made: what it goes on top of is not known.
     *
     * @param here the repository that it is handed in in; null: in none
     */
    public static Change given(String name, String diff, @Nullable Repository here) {
        return new Change(
                name,
                new PlacedDiff(diff, diff, false, PlacedDiff.LEAST_DIGITS),
                List.of(),
                here == null ? null : here.base());
    }

    /** With the context that identifies its place; empty: nothing. */
    public String diff() {
        return placed.text();
    }

    /** Whether git made a merge of several commits first, so that it does not apply to any of them. */
    public boolean isOnMerge() {
        return onTopOf.size() > 1;
    }

    public boolean isNothing() {
        return diff().isEmpty();
    }

    /** Whether git's usual three lines of context would not identify its place. */
    public boolean hasMoreContext() {
        return !diff().equals(placed.plain());
    }

    /** As somebody may have proposed it who did not look at what else is in the files. */
    public Change asPlain() {
        String plain = placed.plain();
        return new Change(name, new PlacedDiff(plain, plain, false, placed.digits()), List.of(), null);
    }
}
