package dev.holdfast.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lets callers that wait at the same time share one commit. Nobody waits on a timer:
 *
 * <ol>
 *   <li>A request is queued. If nobody is writing, its caller writes at once, on its own thread.
 *   <li>Otherwise it stays queued while the current commit runs; the writer thread then takes everything that has
 *       queued up meanwhile, in order, and writes it as one batch.
 *   <li>A request that touches what an earlier one of the batch touches keeps its place for the next batch, and so
 *       does everything behind it that touches the same.
 * </ol>
 */
public final class Combiner<R> implements AutoCloseable {
    private final Queue<R> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final ReentrantLock turn = new ReentrantLock();
    private final Deque<R> deferred = new ArrayDeque<>(); // guarded by turn
    private final Thread writer;
    private final int capacity;
    private final int largestBatch;
    private final Function<R, Collection<?>> touches;
    private final Consumer<List<R>> write;
    private volatile boolean closed;

    /**
     * @param touches what a request changes; no two requests of one batch share any of it
     * @param write writes a batch and answers every request of it; throws nothing
     */
    public Combiner(
            String name, int capacity, int largestBatch, Function<R, Collection<?>> touches, Consumer<List<R>> write) {
        this.capacity = capacity;
        this.largestBatch = largestBatch;
        this.touches = touches;
        this.write = write;
        writer = Thread.ofPlatform().name(name).daemon().start(this::writeWhatIsQueued);
    }

    /** @throws BusyException when too many requests wait already */
    public void submit(R request) {
        if (closed) {
            throw new BusyException("the store is closing");
        }
        if (queued.incrementAndGet() > capacity) {
            queued.decrementAndGet();
            throw new BusyException("too many requests are waiting for the store; try again in a moment");
        }
        queue.add(request);
        if (turn.tryLock()) {
            try {
                writeOneBatch();
            } finally {
                turn.unlock();
            }
        }
        if (queued.get() > 0) {
            LockSupport.unpark(writer);
        }
    }

    public int waiting() {
        return queued.get();
    }

    /** Writes what is still queued, then stops. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(writer);
        try {
            writer.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeWhatIsQueued() {
        while (true) {
            if (queued.get() > 0) {
                turn.lock();
                try {
                    writeOneBatch();
                } finally {
                    turn.unlock();
                }
            } else if (closed) {
                return;
            } else {
                LockSupport.park(this);
            }
        }
    }

    private void writeOneBatch() {
        List<R> batch = nextBatch();
        if (!batch.isEmpty()) {
            queued.addAndGet(-batch.size());
            write.accept(batch);
        }
    }

    private List<R> nextBatch() {
        List<R> batch = new ArrayList<>();
        List<R> later = new ArrayList<>();
        Set<Object> touched = new HashSet<>();
        while (batch.size() < largestBatch) {
            R request = deferred.isEmpty() ? queue.poll() : deferred.poll();
            if (request == null) {
                break;
            }
            Collection<?> wanted = touches.apply(request);
            boolean free = wanted.stream().noneMatch(touched::contains);
            touched.addAll(wanted);
            (free ? batch : later).add(request);
        }
        for (int i = later.size() - 1; i >= 0; i--) {
            deferred.addFirst(later.get(i));
        }
        return batch;
    }
}
