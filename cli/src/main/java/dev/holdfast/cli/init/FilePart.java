package dev.holdfast.cli.init;

import org.jspecify.annotations.Nullable;

/** What we add to a file that people and other programs also write. */
sealed interface FilePart permits McpEntry, MarkedBlock {
    /**
     * The file's text with our part; unchanged if it is already there.
     *
     * @param text null: there is no such file
     */
    String with(@Nullable String text);

    /** The text without our part, for a file that somebody has changed since. */
    String without(String text);
}
