/** Agents as processes of their own that work through one backlog at the same time, and die at it. */
@NullMarked
package dev.holdfast.broker.race;

import org.jspecify.annotations.NullMarked;
