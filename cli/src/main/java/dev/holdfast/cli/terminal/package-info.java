/** What a terminal shows: text made safe, colours, tables, widths, lengths of time. */
@NullMarked
package dev.holdfast.cli.terminal;

import org.jspecify.annotations.NullMarked;
