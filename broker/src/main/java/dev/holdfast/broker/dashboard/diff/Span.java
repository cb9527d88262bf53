package dev.holdfast.broker.dashboard.diff;

/**
 * Part of a line.
 *
 * @param look the style of its colour; empty: none
 */
public record Span(String look, String text) {}
