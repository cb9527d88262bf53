package dev.holdfast.claim;

import java.util.EnumMap;
import java.util.Map;

/**
 * The keeper of each kind. What has none is given out by the engine alone: nothing but the claim itself is to be minded.
 * Heartbeats need no keeper: they change no more than the lease.
 */
public final class ClaimsByKind {
    private final Claims claims;
    private final Map<Kind, KindClaims> byKind = new EnumMap<>(Kind.class);

    public ClaimsByKind(Claims claims) {
        this.claims = claims;
    }

    /** Things of this kind belong to a domain. */
    public ClaimsByKind with(Kind kind, KindClaims kindClaims) {
        byKind.put(kind, kindClaims);
        return this;
    }

    public KindClaims of(Kind kind) {
        return byKind.getOrDefault(kind, claims);
    }
}
