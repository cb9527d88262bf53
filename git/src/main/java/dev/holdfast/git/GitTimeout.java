package dev.holdfast.git;

import java.time.Duration;

/** How long git may take. */
@FunctionalInterface
public interface GitTimeout {
    /** What is left for the next command, in nanoseconds; 0 or less: nothing. */
    long left();

    /** This long for all commands together, from now on. */
    static GitTimeout inAll(Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        return () -> deadline - System.nanoTime();
    }

    /** This long for each command. */
    static GitTimeout each(Duration time) {
        return time::toNanos;
    }
}
