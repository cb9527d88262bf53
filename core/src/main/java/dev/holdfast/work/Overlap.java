package dev.holdfast.work;

import java.time.Instant;
import java.util.List;

/** Somebody else's reservation that is in the way. */
public record Overlap(String reservation, String holder, List<String> paths, boolean exclusive, Instant expiresAt) {}
