/** Tasks: steps that agents claim, fan-out and fan-in, and an end that happens exactly once. */
@NullMarked
package dev.holdfast.task;

import org.jspecify.annotations.NullMarked;
