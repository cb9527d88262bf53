/**
 * What a proposed change says: its files and lines, its content hash, what two rounds differ in, and where a finding's
 * line is in the next round. Pure text in, values out. Start at {@link dev.holdfast.review.diff.Diff}.
 */
@NullMarked
package dev.holdfast.review.diff;

import org.jspecify.annotations.NullMarked;
