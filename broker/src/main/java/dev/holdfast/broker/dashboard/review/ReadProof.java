package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.store.Sha256;

/**
 * Proof that a page has shown the lines of a file to a person under a claim. Whoever marks the file as read must send it, so that
 * nobody marks lines that the page held back. It is computed from the lines themselves, and is the same on every
 * broker.
 *
 * @param generation of the person's claim: a later claim begins with nothing read
 * @param text the whole diff
 */
public record ReadProof(String person, String revision, long generation, String text) {
    public String of(FileView file) {
        return of(Integer.toString(file.number()), text.substring(file.from(), file.to()));
    }

    /** The same for a text that is no diff, which pages show as it is. */
    public String ofText() {
        return of("text", text);
    }

    private String of(String which, String shown) {
        return Sha256.hex(String.join("\n", person, revision, Long.toString(generation), which, shown));
    }
}
