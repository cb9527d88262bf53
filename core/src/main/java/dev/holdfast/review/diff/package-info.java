/**
 * The content of a proposed change: its files and lines, its content hash, how two rounds differ, and where a finding's
 * line is in the next round. Text in, values out; no side effects. Start at {@link dev.holdfast.review.diff.Diff}.
 */
@NullMarked
package dev.holdfast.review.diff;

import org.jspecify.annotations.NullMarked;
