/** Reviewers that the broker runs itself. */
@NullMarked
package dev.holdfast.broker.verb.pool;

import org.jspecify.annotations.NullMarked;
