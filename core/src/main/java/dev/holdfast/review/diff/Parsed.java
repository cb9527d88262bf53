package dev.holdfast.review.diff;

/** What became of reading a diff. */
public sealed interface Parsed permits Diff, DiffProblem {}
