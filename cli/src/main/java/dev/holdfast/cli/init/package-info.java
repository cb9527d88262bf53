/** Sets up a repository in one step, and undoes it. */
@NullMarked
package dev.holdfast.cli.init;

import org.jspecify.annotations.NullMarked;
