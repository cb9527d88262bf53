/** Shell completion: commands, options, and values that the broker knows. */
@NullMarked
package dev.holdfast.cli.completion;

import org.jspecify.annotations.NullMarked;
