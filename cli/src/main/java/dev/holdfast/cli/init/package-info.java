/** Sets up a repository in one step, and takes it back. */
@NullMarked
package dev.holdfast.cli.init;

import org.jspecify.annotations.NullMarked;
