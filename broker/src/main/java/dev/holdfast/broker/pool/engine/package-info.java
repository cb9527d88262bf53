/** The kinds of reviewer that a pool can run. An engine only says how one is started; the pool starts it. */
@NullMarked
package dev.holdfast.broker.pool.engine;

import org.jspecify.annotations.NullMarked;
