package dev.holdfast.claim;

/** One completion of several, with its domain's own event. */
public record Completion(Resource resource, Fence fence, Ending ending, DomainEvent event) {}
