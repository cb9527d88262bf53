/** Tasks: why they are not further, their steps, and what follows their end. */
@NullMarked
package dev.holdfast.broker.dashboard.tasks;

import org.jspecify.annotations.NullMarked;
