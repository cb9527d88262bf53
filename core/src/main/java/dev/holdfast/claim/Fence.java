package dev.holdfast.claim;

import org.jspecify.annotations.Nullable;

/** What a caller shows to prove that it holds a claim: who it is and which grant it was given. */
public record Fence(@Nullable String holder, @Nullable Long generation) {
    public static Fence of(String holder, long generation) {
        return new Fence(Text.holder(holder), generation);
    }

    boolean complete() {
        return holder != null && generation != null;
    }
}
