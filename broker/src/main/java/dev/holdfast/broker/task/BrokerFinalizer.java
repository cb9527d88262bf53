package dev.holdfast.broker.task;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.StoreException;
import dev.holdfast.task.Finalizations;
import dev.holdfast.task.Finalizer;
import dev.holdfast.task.Task;
import dev.holdfast.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the tasks that the broker finalizes itself, using the same claim as any other processor. The broker that
 * accepted the last result does so at once; {@link #sweep} picks up what a crash or an overload left behind.
 */
public final class BrokerFinalizer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerFinalizer.class);
    private static final int LOOKS = 10;

    /** No change of the steps counts as handled, so the task will be offered again. */
    private static final long UNSEEN = 0;

    private static final int MAX_QUEUED = 10_000;
    private static final int THREADS = 2;

    private final Tasks tasks;
    private final String name;
    private final AtomicLong turns = new AtomicLong();
    private final BadRows bad = new BadRows(LOG, "end task");
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED),
            Thread.ofPlatform().daemon().name("holdfast-finalizer-", 1).factory(),
            new ThreadPoolExecutor.DiscardPolicy()); // the sweep picks it up

    /** @param name the broker's name */
    public BrokerFinalizer(Tasks tasks, String name) {
        this.tasks = tasks;
        this.name = name;
    }

    /** Call this when a task may end. */
    public void due(Task task) {
        if (task.finalizer() == Finalizer.BROKER) {
            threads.execute(() -> attempt(task.id()));
        }
    }

    private void attempt(String taskId) {
        try {
            String processor = newName();
            Finalizations.Claimed claimed = tasks.finalizations().claim(taskId, processor, null, null);
            Long generation = claimed.claimGeneration();
            Long seq = claimed.requestedSeq();
            if (generation != null && seq != null) {
                finishOrRelease(taskId, processor, generation, seq);
            } // else: another processor has claimed it, or it has ended
        } catch (StoreException e) {
            LOG.warn("finalizing task {} is postponed: {}", taskId, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("ending task {}", taskId, e); // the thread must continue
        }
    }

    /** Releases the claim whatever goes wrong, so that the next attempt need not wait for it to expire. */
    private void finishOrRelease(String taskId, String processor, long generation, long seq) {
        try {
            finish(taskId, processor, generation, seq);
        } catch (RuntimeException e) {
            try {
                tasks.finalizations().release(taskId, processor, generation, UNSEEN);
            } catch (RuntimeException released) {
                e.addSuppressed(released); // its lease will expire
            }
            throw e;
        }
    }

    /** Ends all unclaimed tasks that are due; one that cannot be ended does not block the others. */
    public void sweep() {
        List<Claim> left = new ArrayList<>();
        try {
            while (!threads.isShutdown()) {
                Optional<Claim> claim = BadRows.either(this::next, this::oneByOne);
                if (claim.isEmpty()) {
                    return;
                }
                left.add(claim.get());
                if (bad.attempt(claim.get().resource().id(), () -> end(claim.get()))) {
                    left.remove(claim.get());
                }
            }
        } finally {
            left.forEach(this::giveUp); // not earlier: a task that could not be ended would be offered next again
        }
    }

    private Optional<Claim> next() {
        NextRequest asked =
                NextRequest.of(Kind.FINALIZATION, newName()).filter(Filter.queue(Finalizer.BROKER.toString()));
        return granted(tasks.finalizationKindClaims().claimNext(asked));
    }

    /** The next task cannot be claimed: tries all others by their ids, and returns none. */
    private Optional<Claim> oneByOne() {
        tasks.due(Finalizer.BROKER, MAX_QUEUED).forEach(this::attempt);
        return Optional.empty();
    }

    private boolean end(Claim claim) {
        String taskId = claim.resource().id();
        finish(
                taskId,
                claim.holder(),
                claim.generation(),
                tasks.get(taskId).counters().requestedSeq());
        return true;
    }

    private void giveUp(Claim claim) {
        try {
            tasks.finalizations().release(claim.resource().id(), claim.holder(), claim.generation(), UNSEEN);
        } catch (RuntimeException e) {
            LOG.debug("task {}: its lease will run out", claim.resource().id(), e);
        }
    }

    private static Optional<Claim> granted(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted -> Optional.of(granted.claim());
            case ClaimOutcome.AlreadyHeld already -> Optional.of(already.claim());
            case ClaimOutcome.Nothing _ -> Optional.empty();
            case Refusal _ -> Optional.empty();
        };
    }

    private void finish(String taskId, String processor, long generation, long seen) {
        long seq = seen;
        for (int look = 0; look < LOOKS; look++) {
            Finalizations.Finished answer = tasks.finalizations().finish(taskId, processor, generation, seq, null);
            if (answer.finished()) {
                return;
            }
            Long requested = answer.requestedSeq();
            if (!answer.reevaluate() || requested == null) {
                break;
            }
            seq = requested;
        }
        tasks.finalizations().release(taskId, processor, generation, seq);
    }

    /** A new name each time: two threads with the same name would share each other's claims. */
    private String newName() {
        return name + "#" + turns.incrementAndGet();
    }

    /** Leaves queued tasks to another broker's sweep, or to the next start. */
    @Override
    public void close() {
        threads.getQueue().clear();
        threads.close();
    }
}
