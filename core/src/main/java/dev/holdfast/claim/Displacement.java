package dev.holdfast.claim;

/** A claim that was taken from its holder, who has not been told yet. */
public record Displacement(Resource resource, long generation, String reason) {}
