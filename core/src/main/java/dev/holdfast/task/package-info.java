/** Tasks: steps that agents claim, fanned out and in again, and finished exactly once. */
@NullMarked
package dev.holdfast.task;

import org.jspecify.annotations.NullMarked;
