/** What the broker asks git: whether a diff applies, and in which repository. */
@NullMarked
package dev.holdfast.broker.git;

import org.jspecify.annotations.NullMarked;
