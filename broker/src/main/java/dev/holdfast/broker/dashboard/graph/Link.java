package dev.holdfast.broker.dashboard.graph;

/** One comes before the other. */
public record Link(String from, String to) {}
