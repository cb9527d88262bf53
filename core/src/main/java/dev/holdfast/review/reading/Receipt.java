package dev.holdfast.review.reading;

import java.time.Instant;

/**
 * How much of the content under review was shown to a reviewer, under one claim.
 *
 * @param charactersRead each counted once, however often it was shown
 * @param characters the length of the whole content
 * @param at when something new was last shown
 */
public record Receipt(
        String reviewer, long generation, String revision, int charactersRead, int characters, Instant at) {
    /** Whether nothing is left to read. */
    public boolean complete() {
        return charactersRead >= characters;
    }

    /** How much was shown; 100 only when nothing is left. */
    public int percent() {
        return complete() ? 100 : (int) (100L * charactersRead / characters);
    }
}
