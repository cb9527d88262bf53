/** Processes on this machine: who is calling, and what sessions run in. */
@NullMarked
package dev.holdfast.broker.process;

import org.jspecify.annotations.NullMarked;
