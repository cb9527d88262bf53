/** Benchmarks against other tools and the limits of the machine: see docs/performance.md. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
