/** The terminal that a command runs in: its width, and lines that fit. */
@NullMarked
package dev.holdfast.terminal;

import org.jspecify.annotations.NullMarked;
