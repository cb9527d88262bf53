package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/**
 * The two answers of a completion that asks for the next thing.
 *
 * @param next null when the completion was refused: then nothing was asked for
 */
public record EndedAndNext(EndOutcome ended, @Nullable ClaimOutcome next) {}
