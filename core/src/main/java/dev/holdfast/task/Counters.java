package dev.holdfast.task;

/**
 * How many steps of a task are in each state.
 *
 * @param active ready, claimed, or to be tried again
 * @param requestedSeq counts the changes that whoever ends the task must have seen
 */
public record Counters(
        long waiting, long active, long succeeded, long failed, long skipped, long cancelled, long requestedSeq) {
    /** Nothing is left to be done. */
    public boolean settled() {
        return waiting == 0 && active == 0;
    }

    public long total() {
        return waiting + active + succeeded + failed + skipped + cancelled;
    }
}
