package dev.holdfast.claim;

/** The outer claim of a soft claim: the caller's grant on another resource. */
public record OuterClaim(Resource resource, long generation) {}
