/** Copies of a store, made while it is in use, and restoring them. */
@NullMarked
package dev.holdfast.backup;

import org.jspecify.annotations.NullMarked;
