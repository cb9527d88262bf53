package dev.holdfast.claim;

import java.util.EnumMap;
import java.util.Map;

/**
 * Maps each kind to the domain that hands it out. The engine handles kinds without one, where only the claim itself
 * matters. Heartbeats go straight to the engine: they change only the lease.
 */
public final class ClaimsByKind {
    private final Claims claims;
    private final Map<Kind, KindClaims> byKind = new EnumMap<>(Kind.class);

    public ClaimsByKind(Claims claims) {
        this.claims = claims;
    }

    /** Registers the domain that owns this kind. */
    public ClaimsByKind with(Kind kind, KindClaims kindClaims) {
        byKind.put(kind, kindClaims);
        return this;
    }

    public KindClaims of(Kind kind) {
        return byKind.getOrDefault(kind, claims);
    }
}
