package dev.holdfast.broker.pool;

/** The last part of what a process wrote to one of its streams. */
final class OutputTail {
    private static final int KEPT = 999;

    private final StringBuilder end = new StringBuilder();

    synchronized void add(String text, boolean continued) {
        end.append(text);
        if (!continued) {
            end.append('\n');
        }
        end.delete(0, Math.max(0, end.length() - KEPT));
    }

    @Override
    public synchronized String toString() {
        return end.toString().strip();
    }
}
