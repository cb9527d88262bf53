package dev.holdfast.broker.dashboard.find;

/**
 * Something that a search found.
 *
 * @param says what kind of thing it is, and its state or place
 */
public record Found(String icon, String title, String says, String path) {}
