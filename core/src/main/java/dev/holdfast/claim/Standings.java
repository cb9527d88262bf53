package dev.holdfast.claim;

/** How many claims there are that have a lease of their own, and how many of them have run out; brokers not counted. */
record Standings(long held, long expired) {}
