/**
 * Files of gsd-review-broker, the broker that Holdfast takes the place of: what is in them, told in Holdfast's words. Nothing else
 * knows their format. Start at {@link dev.holdfast.cli.imports.predecessor.ReviewFile}.
 */
@NullMarked
package dev.holdfast.cli.imports.predecessor;

import org.jspecify.annotations.NullMarked;
