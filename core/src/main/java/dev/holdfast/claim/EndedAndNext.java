package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/**
 * The two answers to a completion that also asks for the next resource.
 *
 * @param next null if the completion was refused; nothing was claimed then
 */
public record EndedAndNext(EndOutcome ended, @Nullable ClaimOutcome next) {}
