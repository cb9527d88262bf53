package dev.holdfast.bench;

import dev.holdfast.claim.Claim;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What must hold in every run: no grant is given twice, and every completion is accepted exactly once. */
final class Guards {
    private static final int MAX_TOLD = 20;

    private final AtomicLongArray granted;
    private final AtomicLongArray completed;
    private final LongAdder grants = new LongAdder();
    private final LongAdder completions = new LongAdder();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    /** @param things how many there are; their ids count from 1 */
    Guards(int things) {
        granted = new AtomicLongArray(things + 1);
        completed = new AtomicLongArray(things + 1);
    }

    void granted(Claim claim) {
        grants.increment();
        long before = granted.getAndSet(number(claim), claim.generation());
        if (before >= claim.generation()) {
            violated(claim.resource() + " was granted at generation " + claim.generation() + " after " + before);
        } else if (before != 0) {
            violated(claim.resource() + " was granted again, at " + claim.generation() + ", though nobody let it go");
        }
    }

    void completed(Claim claim) {
        completions.increment();
        if (completed.getAndSet(number(claim), claim.generation()) != 0) {
            violated(claim.resource() + " was completed twice");
        }
    }

    void violated(String what) {
        if (violations.size() < MAX_TOLD) {
            violations.add(what);
        }
    }

    /** The store must agree with what was acknowledged. */
    void stored(String what, long stored, long acknowledged) {
        if (stored != acknowledged) {
            violated(stored + " " + what + " are stored, but " + acknowledged + " were acknowledged");
        }
    }

    long grants() {
        return grants.sum();
    }

    long completions() {
        return completions.sum();
    }

    /** The generation at which this thing was completed; 0: it was not. */
    long completedAt(int thing) {
        return completed.get(thing);
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    private static int number(Claim claim) {
        return Integer.parseInt(claim.resource().id());
    }
}
