/** The repository that a command is run in: what is about to be committed or pushed, to the byte, and its hooks. */
@NullMarked
package dev.holdfast.cli.git;

import org.jspecify.annotations.NullMarked;
