package dev.holdfast.claim;

/** A claim that was taken from its holder, who does not know it yet. */
public record Displacement(Resource resource, long generation, String reason) {}
