package dev.holdfast.claim;

import dev.holdfast.store.Await;
import dev.holdfast.store.BusyException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Waits for an engine's answer and turns a busy store into a refusal rather than a failure. */
final class AwaitOutcome {
    private AwaitOutcome() {}

    static <T> T of(CompletableFuture<T> answer, Function<Refusal.Busy, T> whenBusy) {
        try {
            return Await.of(answer);
        } catch (BusyException busy) {
            return whenBusy.apply(new Refusal.Busy(String.valueOf(busy.getMessage())));
        }
    }
}
