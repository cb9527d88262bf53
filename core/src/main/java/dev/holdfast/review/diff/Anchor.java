package dev.holdfast.review.diff;

/**
 * The line that a finding is about.
 *
 * @param path of the file on that side of the diff
 * @param line its number on that side, from 1
 * @param text the line itself, by which it is known again
 */
public record Anchor(String path, Side side, int line, String text) {}
