/**
 * Reviewers that the broker runs itself: it starts them when there is something to review, watches, drains and ends
 * them.
 */
@NullMarked
package dev.holdfast.broker.pool;

import org.jspecify.annotations.NullMarked;
