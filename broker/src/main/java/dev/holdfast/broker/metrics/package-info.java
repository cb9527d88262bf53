/** Metrics for Prometheus. */
@NullMarked
package dev.holdfast.broker.metrics;

import org.jspecify.annotations.NullMarked;
