/** Tasks of several steps: {@code task ...}. */
@NullMarked
package dev.holdfast.cli.task;

import org.jspecify.annotations.NullMarked;
