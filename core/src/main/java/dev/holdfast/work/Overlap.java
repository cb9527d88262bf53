package dev.holdfast.work;

import java.time.Instant;
import java.util.List;

/** Somebody else's reservation that conflicts. */
public record Overlap(String reservation, String holder, List<String> paths, boolean exclusive, Instant expiresAt) {}
