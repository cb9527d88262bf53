package dev.holdfast.work.beads;

/** An issue's line in a beads export. */
record BeadsLine(int number, String text, BeadsIssue issue) {}
