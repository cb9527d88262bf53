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
 * Lets concurrent callers share one commit. Nobody waits for a timer:
 *
 * <ol>
 *   <li>A request is queued. If nobody is writing, the caller writes at once, on its own thread.
 *   <li>Otherwise it stays queued while the current commits run. The next writer takes what has queued up by then, in
 *       order, as one batch. If many are queued, another writer joins and they share the work.
 *   <li>A request that touches the same things as an earlier one waits until that one is written, and so does every
 *       later request that touches them.
 *   <li>After answering a batch, a writer yields to the callers it answered: most of them send their next request at
 *       once, and otherwise the writer would write the fastest caller's request on its own.
 * </ol>
 */
public final class Combiner<R> implements AutoCloseable {
    /** From this many queued requests on, a second writer pays off; fewer are faster in one batch. */
    private static final int SECOND_WRITER_AT = 64;

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

    /** As below, where every caller may write. */
    public Combiner(
            ExecutorService threads,
            int capacity,
            int largestBatch,
            Function<R, Collection<?>> touches,
            List<Consumer<List<R>>> writers) {
        this(threads, capacity, largestBatch, touches, writers, () -> true);
    }

    /**
     * @param threads run the batches that no caller writes itself; closed with this combiner
     * @param touches what a request changes; requests that are written concurrently never overlap in this
     * @param writers each writes a batch and answers every request in it; they must not throw
     * @param callerMayWrite whether the calling thread may write; false if the write would wait for that same thread
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

    /** @throws BusyException if too many requests are queued already */
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
            return; // already closed
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

    /**
     * The caller has written its own batch and should get its answer now; other threads write what has queued up
     * meanwhile.
     */
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

    @SuppressWarnings("ThreadPriorityCheck") // only a hint: correct without it, just slower
    private void writeWhatIsQueued(Consumer<List<R>> first) {
        @Nullable Consumer<List<R>> writer = first;
        while (writer != null) {
            while (writeOneBatch(writer)) {
                Thread.yield();
            }
            writer = setFree(writer);
        }
    }

    /**
     * Returns a writer if there is more to do: a request queued just before this writer became free found no free
     * writer.
     */
    private @Nullable Consumer<List<R>> setFree(Consumer<List<R>> writer) {
        free.addFirst(writer);
        return queue.isEmpty() ? null : toStart();
    }

    /** Takes a free writer if none is at work or enough is queued for one more. */
    private @Nullable Consumer<List<R>> toStart() {
        return free.size() == writers || queued.get() >= SECOND_WRITER_AT ? free.pollFirst() : null;
    }

    /** Returns false if nothing can be written now. */
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
            int max = share();
            List<R> later = new ArrayList<>(0);
            Set<Object> touchedEarlier = new HashSet<>(0);
            while (batch.size() < max) {
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
        int each = outstanding < SECOND_WRITER_AT ? outstanding : (outstanding + writers - 1) / writers;
        return Math.clamp(each, 1, largestBatch);
    }
}
