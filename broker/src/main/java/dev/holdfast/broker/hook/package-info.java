/** The hooks of coding agents: who is at work, kept alive by its tool calls, told what it lost. */
@NullMarked
package dev.holdfast.broker.hook;

import org.jspecify.annotations.NullMarked;
