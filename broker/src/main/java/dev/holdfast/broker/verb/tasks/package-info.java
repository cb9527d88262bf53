/** Tasks: steps that fan out and in, finalized exactly once. */
@NullMarked
package dev.holdfast.broker.verb.tasks;

import org.jspecify.annotations.NullMarked;
