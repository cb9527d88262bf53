/** Tasks: what holds them up, their steps, and the actions that follow their end. */
@NullMarked
package dev.holdfast.broker.dashboard.tasks;

import org.jspecify.annotations.NullMarked;
