/** Git on repositories that strangers made. {@link dev.holdfast.git.Trap} and its repository are for the tests of other modules too. */
@NullMarked
package dev.holdfast.git;

import org.jspecify.annotations.NullMarked;
