package dev.holdfast.cli.init;

import org.jspecify.annotations.Nullable;

/** What we put into a file that people and other programs write as well. */
sealed interface Piece permits McpEntry, MarkedBlock {
    /**
     * The file's text with ours in it; the same text if it is there already.
     *
     * @param text null: there is no such file
     */
    String with(@Nullable String text);

    /** The text without ours, for a file that somebody has changed since. */
    String without(String text);
}
