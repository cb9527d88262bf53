package dev.holdfast.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for another thread's result; a failure there is thrown as if it had happened here. */
public final class Await {
    private Await() {}

    public static <T> T of(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
