/** The repository in which a command runs: exactly what is about to be committed or pushed, and its hooks. */
@NullMarked
package dev.holdfast.cli.git;

import org.jspecify.annotations.NullMarked;
