package dev.holdfast.claim;

import java.util.EnumMap;
import java.util.Map;

/**
 * The keeper of each kind. What has none is given out by the engine alone: nothing but the claim itself is to be minded.
 * Heartbeats need no keeper: they change no more than the lease.
 */
public final class Keepers {
    private final Claims claims;
    private final Map<Kind, Keeper> byKind = new EnumMap<>(Kind.class);

    public Keepers(Claims claims) {
        this.claims = claims;
    }

    /** Things of this kind belong to a domain. */
    public Keepers with(Kind kind, Keeper keeper) {
        byKind.put(kind, keeper);
        return this;
    }

    public Keeper of(Kind kind) {
        return byKind.getOrDefault(kind, claims);
    }
}
