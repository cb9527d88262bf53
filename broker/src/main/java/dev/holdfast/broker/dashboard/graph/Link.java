package dev.holdfast.broker.dashboard.graph;

/** One node comes before another. */
public record Link(String from, String to) {}
