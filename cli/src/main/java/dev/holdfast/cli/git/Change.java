package dev.holdfast.cli.git;

/**
 * Something that is about to go in.
 *
 * @param name how to tell people of it
 * @param diff what a person added to what is known to be in order; empty: nothing
 */
public record Change(String name, String diff) {
    public boolean isNothing() {
        return diff.isEmpty();
    }
}
