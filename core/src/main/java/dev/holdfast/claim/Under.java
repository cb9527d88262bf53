package dev.holdfast.claim;

/** The outer claim that a soft claim lives under: the caller's grant of another resource. */
public record Under(Resource resource, long generation) {}
