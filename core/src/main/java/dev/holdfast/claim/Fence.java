package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** What a caller presents to prove that it holds a claim: who it is and which grant it was given. */
public record Fence(@Nullable String holder, @Nullable Long generation) {
    public Fence {
        holder = holder == null ? null : Text.holder(holder);
    }

    public static Fence of(String holder, long generation) {
        return new Fence(holder, generation);
    }

    boolean complete() {
        return holder != null && generation != null;
    }
}
