package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.store.Sha256;

/**
 * What only a page has that shows the lines of a file to a person: whoever marks the file as read sends it along, so that nobody marks
 * what was kept back. It is made of the lines themselves, and the same on every broker.
 *
 * @param text the whole diff
 */
public record ReadProof(String person, String revision, String text) {
    public String of(FileView file) {
        return Sha256.hex(String.join(
                "\n", person, revision, Integer.toString(file.number()), text.substring(file.from(), file.to())));
    }
}
