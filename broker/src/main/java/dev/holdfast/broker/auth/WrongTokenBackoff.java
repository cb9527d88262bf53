package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.CidrBlock;
import dev.holdfast.store.LruMap;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Slows down callers that send wrong tokens: after a few from one address, further ones are rejected unchecked for a
 * second, then two, then four, up to a minute. Remembers a limited number of addresses, those that failed most
 * recently.
 */
final class WrongTokenBackoff {
    private static final int FREE = 5;
    private static final int MAX_DOUBLINGS = 6;
    private static final int MAX = 10_000;
    private static final long LONGEST = Duration.ofMinutes(1).toNanos();
    private static final long FORGOTTEN = Duration.ofMinutes(10).toNanos();

    private record Failed(int times, long at, long until) {}

    private final LongSupplier nanoTime;

    private final Map<InetAddress, Failed> failed = new LruMap<>(MAX);

    WrongTokenBackoff(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** How long everything from this address is still rejected; zero: not at all. */
    Duration left(InetAddress address) {
        synchronized (failed) {
            Failed last = failed.get(CidrBlock.machine(address));
            return last == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, last.until - nanoTime.getAsLong()));
        }
    }

    void failed(InetAddress address) {
        long now = nanoTime.getAsLong();
        synchronized (failed) {
            failed.compute(CidrBlock.machine(address), (_, last) -> {
                int times = last == null || now - last.at > FORGOTTEN ? 1 : last.times + 1;
                long wait = times < FREE
                        ? 0
                        : Math.min(LONGEST, Duration.ofSeconds(1).toNanos() << Math.min(times - FREE, MAX_DOUBLINGS));
                return new Failed(times, now, now + wait);
            });
        }
    }
}
