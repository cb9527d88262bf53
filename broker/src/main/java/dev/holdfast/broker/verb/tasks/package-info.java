/** Tasks: steps that fan out and in again, finalized once. */
@NullMarked
package dev.holdfast.broker.verb.tasks;

import org.jspecify.annotations.NullMarked;
