package dev.holdfast.review.diff;

/** The result of parsing a diff. */
public sealed interface ParseResult permits Diff, DiffProblem {}
