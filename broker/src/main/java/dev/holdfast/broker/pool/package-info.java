/** Reviewers that the broker runs itself: started when there is something to review, watched, drained, ended. */
@NullMarked
package dev.holdfast.broker.pool;

import org.jspecify.annotations.NullMarked;
