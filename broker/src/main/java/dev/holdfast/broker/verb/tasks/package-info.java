/** Tasks: steps fanned out and in again, and ended once. */
@NullMarked
package dev.holdfast.broker.verb.tasks;

import org.jspecify.annotations.NullMarked;
