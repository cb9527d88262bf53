package dev.holdfast.cli.git;

import dev.holdfast.git.PlacedDiff;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that is about to go in.
 *
 * @param name how to tell people of it
 * @param placed what a person added to what is known to be in order
 * @param onTopOf the commits that it goes on top of; none: it is the beginning, or a diff from elsewhere
 */
public record Change(String name, PlacedDiff placed, List<String> onTopOf) {
    public Change {
        onTopOf = List.copyOf(onTopOf);
    }

    /** A diff from elsewhere: what it was made from is not known. */
    public static Change given(String name, String diff) {
        return new Change(name, new PlacedDiff(diff, diff, false, PlacedDiff.LEAST_DIGITS), List.of());
    }

    /** With the context that tells its place; empty: nothing. */
    public String diff() {
        return placed.text();
    }

    /** The one commit that it was made from; null: there is none, or not only one. */
    public @Nullable String base() {
        return onTopOf.size() == 1 ? onTopOf.getFirst() : null;
    }

    public boolean isNothing() {
        return diff().isEmpty();
    }

    /** Whether git's usual three lines of context would not tell its place. */
    public boolean hasMoreContext() {
        return !diff().equals(placed.plain());
    }

    /** As somebody may have proposed it who did not look at what else is in the files. */
    public Change asPlain() {
        String plain = placed.plain();
        return new Change(name, new PlacedDiff(plain, plain, false, placed.digits()), List.of());
    }
}
