/** Measurements beside peers and limits: see docs/performance.md. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
