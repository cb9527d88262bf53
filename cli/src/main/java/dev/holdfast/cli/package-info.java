/** The command line: talks HTTP to a broker and knows nothing of its internals. Start at {@link dev.holdfast.cli.Main}. */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
