/** Imports and exports work items as issue files of beads. Start at {@link dev.holdfast.work.beads.Beads}. */
@NullMarked
package dev.holdfast.work.beads;

import org.jspecify.annotations.NullMarked;
