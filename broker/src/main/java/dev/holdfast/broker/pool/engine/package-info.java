/** The kinds of reviewers that a pool can run. An engine only says how to start one; the pool starts it. */
@NullMarked
package dev.holdfast.broker.pool.engine;

import org.jspecify.annotations.NullMarked;
