package dev.holdfast.bench;

/** How fast this machine is at the moment: durable one-row changes per second, with none of our code in between. */
@FunctionalInterface
interface Yardstick {
    int SECONDS = 1;

    double measure() throws Exception;
}
