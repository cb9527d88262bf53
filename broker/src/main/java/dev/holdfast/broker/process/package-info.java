/** Processes of this machine: programs that the broker runs, and what sessions run in. */
@NullMarked
package dev.holdfast.broker.process;

import org.jspecify.annotations.NullMarked;
