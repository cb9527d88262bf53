package dev.holdfast.cli.git;

import dev.holdfast.git.UnambiguousDiff;
import dev.holdfast.git.ZeroId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that is about to be committed or pushed.
 *
 * @param name for messages
 * @param placed the person's own changes, on top of content that is already approved
 * @param onTopOf the commits it is based on; none: it is the first commit, or a diff from elsewhere
 * @param base sent to the broker as its base: the first of these commits, or that there is none; null: unknown
 */
public record Change(
        String name,
        UnambiguousDiff placed,
        List<String> onTopOf,
        @Nullable String base) {
    public Change {
        onTopOf = List.copyOf(onTopOf);
    }

    /** A change on top of these commits, or of nothing. */
    static Change on(List<String> commits, String name, UnambiguousDiff placed) {
        return new Change(name, placed, commits, commits.isEmpty() ? ZeroId.ID : commits.getFirst());
    }

    /**
     * A diff from a user, whose base is unknown.
     *
     * @param here the repository in which it is submitted; null: none
     */
    public static Change given(String name, String diff, @Nullable Repository here) {
        return new Change(
                name,
                new UnambiguousDiff(diff, diff, false, UnambiguousDiff.MIN_DIGITS),
                List.of(),
                here == null ? null : here.base());
    }

    /** With the context that identifies its place; empty: no change. */
    public String diff() {
        return placed.text();
    }

    /** Whether git first merged several commits, so that it does not apply to any of them. */
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

    /** The diff as somebody may have proposed it without checking whether its place is ambiguous. */
    public Change asPlain() {
        String plain = placed.plain();
        return new Change(name, new UnambiguousDiff(plain, plain, false, placed.digits()), List.of(), null);
    }
}
