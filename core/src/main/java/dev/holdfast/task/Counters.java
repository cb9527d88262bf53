package dev.holdfast.task;

/**
 * How many steps of a task are in each state.
 *
 * @param active ready, claimed, or waiting for a retry
 * @param requestedSeq counts the changes; whoever ends the task must have seen the last one
 */
public record Counters(
        long waiting, long active, long succeeded, long failed, long skipped, long cancelled, long requestedSeq) {
    /** Whether nothing is left to do. */
    public boolean settled() {
        return waiting == 0 && active == 0;
    }

    public long total() {
        return waiting + active + succeeded + failed + skipped + cancelled;
    }
}
