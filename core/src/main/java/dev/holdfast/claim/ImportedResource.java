package dev.holdfast.claim;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A resource as another broker last had it: free, held or done.
 *
 * @param holder who held it there; null: nobody
 * @param since when it was last known to be held; its lease runs from that time
 * @param done it can no longer be claimed
 * @param generation the highest generation granted there
 */
public record ImportedResource(
        NewResource made, @Nullable String holder, Instant since, boolean done, long generation) {
    public ImportedResource {
        if (holder != null) {
            Text.holder(holder);
        }
        if (holder != null && done) {
            throw new InvalidException("a resource that is done cannot have a holder");
        }
        if (generation < 0) {
            throw new InvalidException("a generation is never below 0");
        }
    }
}
