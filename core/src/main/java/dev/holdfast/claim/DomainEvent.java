package dev.holdfast.claim;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The event of a change, as the domain that makes the change describes it. A change has one event, and the domain knows
 * more about it than the claim engine does.
 */
public record DomainEvent(String type, @Nullable String actor, Map<String, ?> detail) {}
