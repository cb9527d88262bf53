package dev.holdfast.claim;

/** A completion as one of several, told in the words of the domain that the thing belongs to. */
public record Completion(Resource resource, Fence fence, Ending ending, DomainEvent event) {}
