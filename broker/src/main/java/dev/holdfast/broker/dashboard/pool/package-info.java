/** The broker's own reviewers: whether they can work, and their logs. */
@NullMarked
package dev.holdfast.broker.dashboard.pool;

import org.jspecify.annotations.NullMarked;
