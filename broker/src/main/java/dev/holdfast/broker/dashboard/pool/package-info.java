/** The broker's own reviewers: whether they can work, and what they say. */
@NullMarked
package dev.holdfast.broker.dashboard.pool;

import org.jspecify.annotations.NullMarked;
