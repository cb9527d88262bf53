package dev.holdfast.bench;

/** How fast this machine is at this moment: durable one-row changes per second, with nothing of ours in between. */
@FunctionalInterface
interface Yardstick {
    int SECONDS = 1;

    double measure() throws Exception;
}
