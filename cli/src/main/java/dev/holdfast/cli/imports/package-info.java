/** Imports from other tools, done once: gsd-review-broker and beads. */
@NullMarked
package dev.holdfast.cli.imports;

import org.jspecify.annotations.NullMarked;
