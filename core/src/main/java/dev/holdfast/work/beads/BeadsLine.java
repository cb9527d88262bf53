package dev.holdfast.work.beads;

/** A line of a beads export that is an issue. */
record BeadsLine(int number, String text, BeadsIssue issue) {}
