/** Terminal output: safe text, colours, tables, widths, durations. */
@NullMarked
package dev.holdfast.cli.terminal;

import org.jspecify.annotations.NullMarked;
