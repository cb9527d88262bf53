package dev.holdfast.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers that wait at the same time share one commit. Nobody waits on a timer:
 *
 * <ol>
 *   <li>A request is queued. If nobody writes, the caller writes at once, on its own thread.
 *   <li>Otherwise it stays queued while the current commits run. Who writes next takes what has queued up meanwhile, in
 *       order, as one batch. When many wait, another writer joins, and each takes its share.
 *   <li>A request that touches what an earlier one touches waits until that is written, and so does everything behind it
 *       that touches the same.
 *   <li>A writer that has answered lets the answered run first: most of them ask for the next thing at once, and it would
 *       otherwise write what the quickest of them asks for all by itself.
 * </ol>
 */
public final class Combiner<R> implements AutoCloseable {
    /** So many are worth a second writer's statement; fewer are written sooner by one. */
    private static final int MANY = 64;

    private final Queue<R> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final BlockingDeque<Consumer<List<R>>> free = new LinkedBlockingDeque<>();
    private final ReentrantLock choosing = new ReentrantLock();
    private final Deque<R> passedOver = new ArrayDeque<>(); // guarded by choosing, as are the next two
    private final Set<Object> touched = new HashSet<>();
    private int beingWritten;
    private final ExecutorService threads;
    private final int capacity;
    private final int largestBatch;
    private final int writers;
    private final BooleanSupplier callerMayWrite;
    private final Function<R, Collection<?>> touches;
    private volatile boolean closed;

    /** As below; every caller may write. */
    public Combiner(
            ExecutorService threads,
            int capacity,
            int largestBatch,
            Function<R, Collection<?>> touches,
            List<Consumer<List<R>>> writers) {
        this(threads, capacity, largestBatch, touches, writers, () -> true);
    }

    /**
     * @param threads where batches are written that no caller writes itself; closed with this
     * @param touches what a request changes; no two requests that are written at the same time share any of it
     * @param writers each writes a batch and answers every request of it; they throw nothing
     * @param callerMayWrite whether the calling thread may write; not if a write would wait for that very thread
     */
    public Combiner(
            ExecutorService threads,
            int capacity,
            int largestBatch,
            Function<R, Collection<?>> touches,
            List<Consumer<List<R>>> writers,
            BooleanSupplier callerMayWrite) {
        this.callerMayWrite = callerMayWrite;
        this.threads = threads;
        this.capacity = capacity;
        this.largestBatch = largestBatch;
        this.touches = touches;
        this.writers = writers.size();
        free.addAll(writers);
    }

    /** @throws BusyException when too many requests wait already */
    public void submit(R request) {
        int waiting = queued.incrementAndGet();
        if (closed || waiting > capacity) {
            queued.decrementAndGet();
            throw new BusyException(
                    closed
                            ? "the store is closing"
                            : "too many requests are waiting for the store; try again in a moment");
        }
        queue.add(request);
        Consumer<List<R>> writer = toStart();
        if (writer == null) {
            return;
        }
        if (callerMayWrite.getAsBoolean()) {
            writeOneBatch(writer);
            handOn(writer);
        } else {
            threads.execute(() -> writeWhatIsQueued(writer));
        }
    }

    public int waiting() {
        return queued.get();
    }

    /** Writes what is still queued, then stops. */
    @Override
    public void close() {
        if (closed) {
            return; // its writers are gone already
        }
        closed = true;
        boolean interrupted = false;
        for (int taken = 0; taken < writers; ) {
            try {
                Consumer<List<R>> writer = free.takeFirst();
                taken++;
                while (taken == writers && queued.get() > 0) {
                    if (!writeOneBatch(writer)) {
                        Thread.onSpinWait(); // somebody has counted its request and is about to queue it
                    }
                }
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        threads.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A caller has written for itself; what has queued up meanwhile others write, for it is to have its answer. */
    private void handOn(Consumer<List<R>> writer) {
        if (queued.get() > 0) {
            threads.execute(() -> writeWhatIsQueued(writer));
            return;
        }
        Consumer<List<R>> again = setFree(writer);
        if (again != null) {
            threads.execute(() -> writeWhatIsQueued(again));
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint: right without it, only slower
    private void writeWhatIsQueued(Consumer<List<R>> first) {
        @Nullable Consumer<List<R>> writer = first;
        while (writer != null) {
            while (writeOneBatch(writer)) {
                Thread.yield();
            }
            writer = setFree(writer);
        }
    }

    /** Returns a writer if there is more to do: who came just before this one was free has seen none. */
    private @Nullable Consumer<List<R>> setFree(Consumer<List<R>> writer) {
        free.addFirst(writer);
        return queue.isEmpty() ? null : toStart();
    }

    /** A writer, if none is at work or enough is waiting for one more. */
    private @Nullable Consumer<List<R>> toStart() {
        return free.size() == writers || queued.get() >= MANY ? free.pollFirst() : null;
    }

    /** False when there is nothing that can be written now. */
    private boolean writeOneBatch(Consumer<List<R>> writer) {
        List<R> batch = nextBatch();
        if (batch.isEmpty()) {
            return false;
        }
        queued.addAndGet(-batch.size());
        writer.accept(batch);
        choosing.lock();
        try {
            beingWritten -= batch.size();
            batch.forEach(request -> touches.apply(request).forEach(touched::remove));
        } finally {
            choosing.unlock();
        }
        return true;
    }

    private List<R> nextBatch() {
        List<R> batch = new ArrayList<>();
        choosing.lock();
        try {
            int most = share();
            List<R> later = new ArrayList<>(0);
            Set<Object> touchedEarlier = new HashSet<>(0);
            while (batch.size() < most) {
                R request = passedOver.isEmpty() ? queue.poll() : passedOver.poll();
                if (request == null) {
                    break;
                }
                Collection<?> wanted = touches.apply(request);
                if (!Collections.disjoint(touched, wanted) || !Collections.disjoint(touchedEarlier, wanted)) {
                    touchedEarlier.addAll(wanted);
                    later.add(request);
                } else {
                    touched.addAll(wanted);
                    batch.add(request);
                }
            }
            for (int i = later.size() - 1; i >= 0; i--) {
                passedOver.addFirst(later.get(i));
            }
            beingWritten += batch.size();
        } finally {
            choosing.unlock();
        }
        return batch;
    }

    private int share() {
        int outstanding = queued.get() + beingWritten;
        int each = outstanding < MANY ? outstanding : (outstanding + writers - 1) / writers;
        return Math.clamp(each, 1, largestBatch);
    }
}
