/**
 * A review as it is stored: its row, its revisions, who proposed them, the verdicts on them, and how a change to it is made.
 * Everything else about reviews stands on this. Start at {@link dev.holdfast.review.record.Changes}.
 */
@NullMarked
package dev.holdfast.review.record;

import org.jspecify.annotations.NullMarked;
