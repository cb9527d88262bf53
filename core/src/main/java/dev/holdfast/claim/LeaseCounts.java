package dev.holdfast.claim;

/** How many claims there are that have a lease of their own, and how many of them have run out; brokers not counted. */
record LeaseCounts(long held, long expired) {}
