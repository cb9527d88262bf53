package dev.holdfast.claim;

/** A claim that its holder has lost without knowing it yet. */
public record DisplacedClaim(Resource resource, long generation, String reason) {}
