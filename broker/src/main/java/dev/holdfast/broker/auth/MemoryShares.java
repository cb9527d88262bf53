package dev.holdfast.broker.auth;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps large calls from filling the memory. A body stays in memory until its call is over, however slowly it comes, and
 * a long answer until its caller has read it. So all large bodies together get a part of the memory, and those of one
 * caller half of that; and each caller gets only a few answers at a time that may be long. Further calls wait a moment,
 * then they are refused as busy.
 */
public final class MemoryShares {
    /** Smaller bodies do not count. */
    public static final int SMALL_BODY = 32 << 10;

    /** So many answers one caller may be reading. */
    static final int ANSWERS = 8;

    /** A body takes about so many times its size, with the JSON and the texts that are made from it. */
    private static final int COPIES = 3;

    /** Request attribute: the share of the call. */
    static final String SHARE = "dev.holdfast.memory.share";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** What one caller uses. */
    private static final class Use {
        private int calls;
        private long bytes;
        private int answers;
    }

    private final long inAll;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition freed = lock.newCondition();
    private final Map<String, Use> uses = new HashMap<>();
    private long taken;

    /**
     * @param inAll how much memory large bodies may take, in bytes
     * @param patience how long a call waits for others to end
     */
    MemoryShares(long inAll, Duration patience) {
        this.inAll = inAll;
        this.patience = patience;
    }

    /** Half of this process's memory. */
    static MemoryShares ofThisProcess() {
        return new MemoryShares(Runtime.getRuntime().maxMemory() / 2, PATIENCE);
    }

    /**
     * The share of a new call; close it when the call is over and its answer was read.
     *
     * @param caller null: a program on this machine without a token, which has no limit of its own
     */
    Share share(@Nullable String caller) {
        return new Share(caller);
    }

    /** The share of the call that this request makes. */
    public static Share of(HttpServletRequest request) {
        return (Share) Objects.requireNonNull(request.getAttribute(SHARE));
    }

    /** What one call takes of the memory. */
    public final class Share implements AutoCloseable {
        private final @Nullable String caller;
        private long bytes;
        private boolean answers;
        /** Set before anything is taken, so that the many calls that take nothing need no lock at their end. */
        private volatile boolean used;

        private volatile boolean closed;

        private Share(@Nullable String caller) {
            this.caller = caller;
        }

        /**
         * Waits until there is room for a body.
         *
         * @throws RefusedException when there is none soon
         */
        public void takeBody(long length) {
            long needed = COPIES * length;
            await("the large calls that are running take all the memory there is for them", use -> {
                boolean fits = (taken == 0 || taken + needed <= inAll)
                        && (caller == null || use.bytes == 0 || use.bytes + needed <= inAll / 2);
                if (fits) {
                    taken += needed;
                    bytes += needed;
                    use.bytes += needed;
                }
                return fits;
            });
        }

        /**
         * Waits until this caller is reading few enough other answers.
         *
         * @throws RefusedException when it goes on reading them
         */
        public void takeAnswer() {
            if (caller == null || answers) {
                return;
            }
            await("this caller is still reading " + ANSWERS + " long answers", use -> {
                boolean fits = use.answers < ANSWERS;
                if (fits) {
                    use.answers++;
                    answers = true;
                }
                return fits;
            });
        }

        private interface Attempt {
            boolean take(Use use);
        }

        private void await(String busy, Attempt attempt) {
            used = true;
            lock.lock();
            try {
                Use use = uses.computeIfAbsent(String.valueOf(caller), _ -> new Use());
                use.calls++;
                try {
                    long left = patience.toNanos();
                    while (closed || !attempt.take(use)) {
                        if (closed || left <= 0) {
                            throw new RefusedException(
                                    RefusalCode.BUSY,
                                    busy + "; try again in a moment",
                                    Map.of("retry_after_seconds", 1.0));
                        }
                        left = freed.awaitNanos(left);
                    }
                } finally {
                    use.calls--;
                    forget(use);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new RefusedException(RefusalCode.BUSY, "the broker is stopping");
            } finally {
                lock.unlock();
            }
        }

        private void forget(Use use) {
            if (use.calls == 0 && use.bytes == 0 && use.answers == 0) {
                uses.remove(String.valueOf(caller));
            }
        }

        @Override
        public void close() {
            closed = true;
            if (!used) {
                return;
            }
            lock.lock();
            try {
                Use use = uses.getOrDefault(String.valueOf(caller), new Use());
                taken -= bytes;
                use.bytes -= bytes;
                use.answers -= answers ? 1 : 0;
                bytes = 0;
                answers = false;
                forget(use);
                freed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
