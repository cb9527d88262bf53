package dev.holdfast.claim;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A thing as it stood with another broker: free, held or done.
 *
 * @param holder who held it there; null: nobody
 * @param since when it was last seen to be held; its lease runs from then on
 * @param done nobody is to claim it
 * @param generation the highest that was given there
 */
public record Adopted(NewResource made, @Nullable String holder, Instant since, boolean done, long generation) {
    public Adopted {
        if (holder != null) {
            Text.holder(holder);
        }
        if (holder != null && done) {
            throw new InvalidException("what is done is held by nobody");
        }
        if (generation < 0) {
            throw new InvalidException("a generation is never below 0");
        }
    }
}
