/** The terminal that a command is typed on: how wide it is, and lines that fit. */
@NullMarked
package dev.holdfast.terminal;

import org.jspecify.annotations.NullMarked;
