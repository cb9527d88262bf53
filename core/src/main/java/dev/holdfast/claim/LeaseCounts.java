package dev.holdfast.claim;

/** How many claims have a lease of their own, and how many of those have expired; brokers are not counted. */
record LeaseCounts(long held, long expired) {}
