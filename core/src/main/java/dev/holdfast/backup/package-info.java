/** Copies of a store, made while it is in use, and stores made from them. */
@NullMarked
package dev.holdfast.backup;

import org.jspecify.annotations.NullMarked;
