/**
 * Reads the database of gsd-review-broker, which Holdfast replaces, and converts it to our terms. Nothing else knows
 * its format. Start at {@link dev.holdfast.cli.imports.predecessor.ReviewFile}.
 */
@NullMarked
package dev.holdfast.cli.imports.predecessor;

import org.jspecify.annotations.NullMarked;
